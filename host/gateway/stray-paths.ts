import type { FastifyReply, FastifyRequest } from 'fastify';
import { typedAddress } from './address.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { Assets } from './assets.ts';
import { lookLink } from './look.ts';
import { portalDocument, portalPolicy } from './portal.ts';

/** Whether a person will see the answer. */
export function isNavigation({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const dest = headers['sec-fetch-dest'] ?? (headers.accept?.includes('text/html') ? 'document' : '');
  return method === 'GET' && dest === 'document';
}

/**
 * Answers an unknown path that a person typed: a site without its scheme is opened, anything else is shown in the
 * portal's address bar.
 */
export function answerStray(
  { assets, policy }: { readonly assets: Assets; readonly policy: Pick<PolicyEngine, 'decide'> },
  { target, person, headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const typed = decoded(target.replace(/^\//, ''));
  const address = /^[^/?#]*\.[^/?#]|^localhost\b/i.test(typed) ? typedAddress(typed) : undefined;
  if (address !== undefined) return reply.redirect(`/${address}`, 303);
  return reply
    .code(404)
    .header('content-security-policy', portalPolicy())
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(portalDocument(assets, headers['accept-language'], lookLink(policy, person), typed));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
