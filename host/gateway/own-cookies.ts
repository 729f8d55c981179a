import type { FastifyReply, FastifyRequest } from 'fastify';

/** Name of a cookie of the host. Over https it has a prefix: browsers then take it from this very host alone, and only over https. */
function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Value of one of the host's cookies in a request. */
export function ownCookie({ cookies, isSecure }: Pick<FastifyRequest, 'cookies' | 'isSecure'>, name: string) {
  return cookies[cookieName(name, isSecure)];
}

/** Sets a cookie of the host that scripts cannot read. @param maxAge its lifetime, in seconds */
export function setOwnCookie(
  { isSecure }: Pick<FastifyRequest, 'isSecure'>,
  reply: FastifyReply,
  { name, value, maxAge }: { readonly name: string; readonly value: string; readonly maxAge: number },
): void {
  const terms = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge } as const;
  void reply.setCookie(cookieName(name, isSecure), value, terms);
}
