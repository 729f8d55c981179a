import { Buffer, isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import { LEAVING_COOKIE, pageOfPath } from '../../core/protocol/shell-address.ts';
import type { NamedPage } from '../../core/protocol/shell-address.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/wire.ts';
import type { AskedShell, WaitingPerson } from '../contracts/link.ts';
import { SHELL_PATH, typedAddress } from './address.ts';
import { sendDocument } from './frame-routes.ts';
import { hostOf } from './helper-frames.ts';
import { lookLink } from './look.ts';
import { portalDocument, portalPolicy } from './portal.ts';
import { ownCookie } from './own-cookies.ts';
import { PERSON_COOKIE } from './person.ts';
import type { PersonCookies } from './person.ts';
import { isBypassed } from './policy-routes.ts';
import type { GatewayOptions } from './server.ts';
import { shellDocument, shellPolicy } from './shell.ts';
import type { SessionConfiguration } from './shell.ts';
import { WAITING_REFRESH_S, waitingDocument, waitingPolicy } from './waiting-page.ts';

/** Largest body of an isolated POST, in bytes: it travels in the shell's document. */
export const POST_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Whether a tab will be paired for a shell: somebody whom we know opens it to look at it now. One that is reloaded goes on with the pairing
 * that it has.
 */
function willPair(request: FastifyRequest, persons: PersonCookies): boolean {
  const { method, headers } = request;
  return (
    method === 'GET' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined &&
    headers['cache-control'] === undefined &&
    persons.subjectOf(ownCookie(request, PERSON_COOKIE)) !== undefined
  );
}

/** Why somebody who opens a page has to wait for a session first. One who comes with a form goes on: its content is in the shell. */
async function waitingFor(request: FastifyRequest, options: GatewayOptions): Promise<WaitingPerson | undefined> {
  const { method, headers, target, person } = request;
  const isShown = method === 'GET' && headers['sec-purpose'] === undefined;
  const page = isShown && /^(?:document|iframe|frame)$/.test(String(headers['sec-fetch-dest'])) && pageOfPath(target);
  if (!page || isBypassed(options, request, page.url)) return undefined;
  return options.link.waiting(person);
}

/** Headers of the request for a shell by which the cell knows who opens the page (host/cell/tab/initiator.ts). */
function docHeaders({ headers }: FastifyRequest): Record<string, string> {
  const site = headers['sec-fetch-site'];
  return typeof site === 'string' ? { 'sec-fetch-site': site.slice(0, 20) } : {};
}

/** Request for a shell, from which the request of its tab is predicted. */
function askedShell(request: FastifyRequest, { url, mpaId, own }: NamedPage, options: GatewayOptions): AskedShell {
  const { cookies, headers } = request;
  const { 'user-agent': userAgent = '', referer = '' } = headers;
  // Facts about the address that only the client knows, and sends when it pairs.
  const isPlain = mpaId === undefined && own.size === 0 && /^https?:/.test(url);
  const isNew = isPlain && cookies[LEAVING_COOKIE] === undefined && !isBypassed(options, request, url);
  return { url, userAgent, referrer: referer, docHeaders: docHeaders(request), isNew };
}

/** The documents that an address bar leads to: the portal, and the shell of every page. */
export function pageRoutes(app: FastifyInstance, options: GatewayOptions): void {
  const { assets } = options;
  const policy = shellPolicy(assets, options.frameAncestors, {
    helpers: [options.inspectOrigin, options.clusterOrigin].filter((origin) => origin !== undefined),
    logins: options.loginOrigins ?? [],
  });
  const lookOf = ({ person }: FastifyRequest): string => lookLink(options.policy, person);
  const portalOf = (request: FastifyRequest, reply: FastifyReply, refused?: string): FastifyReply => {
    const body = portalDocument(assets, request.headers['accept-language'], lookOf(request), refused);
    return sendDocument(refused === undefined ? reply : reply.code(400), portalPolicy(), body);
  };

  app.get<{ Querystring: { q?: string } }>('/', (request, reply) => {
    const typed = request.query.q;
    if (typeof typed === 'string' && typed.trim() !== '') {
      const address = typedAddress(typed);
      if (address) return reply.redirect(`/${address}`, 303);
      return portalOf(request, reply, typed.trim());
    }
    return portalOf(request, reply);
  });

  // Every path that names a page comes here, see `rewriteUrl` (S-006).
  const shell = (request: FastifyRequest, reply: FastifyReply, post?: SessionConfiguration['POST']): FastifyReply => {
    const page = pageOfPath(request.target);
    if (!page) {
      return portalOf(request, reply, request.target.slice(1));
    }
    const host = request.headers.host ?? '';
    const site = docHeaders(request)['sec-fetch-site'];
    const { framebust } = options.policy.decide(request.person, page.url).settings;
    if (willPair(request, options.persons)) options.link.expect(request.person, askedShell(request, page, options));
    return sendDocument(
      reply.header('referrer-policy', 'same-origin'), // by which a tab knows its opener (S-085); sites never get it
      policy,
      shellDocument(
        assets,
        {
          DEBUG: false,
          TC_API_VERSION: PROTOCOL_VERSION,
          TC_BUNDLED: true,
          INSPECT_DOMAIN: hostOf(options.inspectOrigin) ?? host,
          CLUSTER_DOMAIN: hostOf(options.clusterOrigin) ?? host,
          BUILD_ID: assets.buildId,
          HOST: host,
          TPROXY_ENABLED: false,
          FRAMEBUST: { enabled: framebust.enabled, domains: framebust.domains },
          ...(site !== undefined && { FETCH_SITE: site }),
          ...(post && { POST: post }),
        },
        lookLink(options.policy, request.person, page.url),
      ),
    );
  };
  const ancestors = waitingPolicy(options.frameAncestors);
  app.get(SHELL_PATH, async (request, reply) => {
    const waiting = await waitingFor(request, options);
    if (!waiting) return shell(request, reply);
    void reply.code(503).header('retry-after', WAITING_REFRESH_S).header('refresh', WAITING_REFRESH_S);
    const accepted = request.headers['accept-language'] ?? '';
    return sendDocument(reply, ancestors, waitingDocument(assets, waiting, accepted, lookOf(request)));
  });
  app.register((posted, _options, done) => {
    posted.removeAllContentTypeParsers();
    posted.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    // An isolated POST: the client hands the body on with its pair request (S-038).
    const taken = { bodyLimit: POST_BODY_BYTES, config: { intake: { isUnmetered: true } } } as const;
    posted.post(SHELL_PATH, taken, (request, reply) => {
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
      if (!isUtf8(body)) throw new AppError('post-body', 'A form with binary content cannot be isolated.');
      return shell(request, reply, {
        body: body.toString('utf8'),
        content_type: (request.headers['content-type'] ?? '').slice(0, 300),
      });
    });
    done();
  });
}
