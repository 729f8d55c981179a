import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { Assets } from './assets.ts';
import { COF_PATH, helperDocument, plainFrame, shellOrigin } from './helper-frames.ts';
import { lookLink, lookRoute } from './look.ts';
import { pageFrameDocument } from './page-frame.ts';
import { VIEW_PATH, VIEW_POLICY, VIEW_TEMPLATES } from './view-templates.ts';

/** Assets, and the public origins besides address literals and localhost. */
interface FrameRoutes {
  readonly assets: Assets;
  readonly origins: readonly string[];
  readonly policy: Pick<PolicyEngine, 'decide'>;
  /** Origins that may have the shell in a frame: browsers hold them against each document within it, too. */
  readonly frameAncestors: readonly string[];
}

/** Frames that need a document of our origin and nothing in it; the communication frame's address ends in the page's. */
const PLAIN_FRAMES: Readonly<Record<string, 'comm' | 'sub'>> = {
  '/safeview-template/sub_frame.html': 'sub',
  '/safeview-template/frame_helper.html': 'sub',
  '/safeview-template/comm_frame.html/*': 'comm',
};

/** Answers with an HTML document under a content security policy; it is never cached. */
export function sendDocument(reply: FastifyReply, policy: string, body: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(body);
}

/** The documents of the frames within a shell, with their sheets: page frame, helpers and view templates. */
export function frameRoutes(app: FastifyInstance, { assets, origins, policy, frameAncestors }: FrameRoutes): void {
  const inShell = (own: string): string =>
    own.replace(/frame-ancestors [^;]+/, (shells) => [shells, ...frameAncestors].join(' '));
  app.get('/safeview-template/ui.html', (request, reply) => {
    const frame = pageFrameDocument(lookLink(policy, request.person));
    return sendDocument(reply, inShell(frame.policy), frame.body);
  });
  app.get<{ Querystring: { o?: unknown } }>(COF_PATH, (request, reply) => {
    const shell = shellOrigin(request.query.o, request.headers.host ?? '', origins);
    if (shell === undefined) throw new AppError('foreign-origin', 'This helper serves no shell of that origin.');
    const frame = helperDocument(assets, shell);
    return sendDocument(reply, inShell(frame.policy), frame.body);
  });
  // The sub-frame helper, the frame helper and the communication frame (S-007, R-083).
  for (const [path, role] of Object.entries(PLAIN_FRAMES)) {
    app.get(path, (_request, reply) => {
      const frame = plainFrame(role);
      return sendDocument(reply, inShell(frame.policy), frame.body);
    });
  }
  app.get<{ Params: { name: string } }>('/safeview-static/css/:name', (request, reply) => {
    const name = request.params.name.replace(/\.css$/, '');
    const address = /^[\w-]+$/.test(name) ? assets.style(name) : undefined;
    if (address !== undefined) return reply.redirect(address, 302);
    reply.callNotFound();
    return reply;
  });
  lookRoute(app, policy);
  for (const [name, template] of Object.entries(VIEW_TEMPLATES)) {
    app.get(VIEW_PATH + name, (_request, reply) =>
      reply
        .headers(template.headers)
        .header('content-security-policy', inShell(VIEW_POLICY))
        .type(template.contentType)
        .send(template.body),
    );
  }
}
