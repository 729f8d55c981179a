import type { FastifyInstance, FastifyReply } from 'fastify';
import { PROTOCOL_VERSION } from '../../core/protocol/wire.ts';
import { pageAddress, typedAddress } from './address.ts';
import { pageFrameDocument } from './page-frame.ts';
import { portalDocument, portalPolicy } from './portal.ts';
import type { GatewayOptions } from './server.ts';
import { shellDocument, shellPolicy } from './shell.ts';
import { VIEW_TEMPLATES } from './view-templates.ts';

function html(reply: FastifyReply, policy: string, body: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(body);
}

/** The documents: portal, shell, page frame and view templates. */
export function pageRoutes(app: FastifyInstance, options: GatewayOptions): void {
  const { assets } = options;
  const policy = shellPolicy(assets, options.frameAncestors);

  app.get<{ Querystring: { q?: string } }>('/', (request, reply) => {
    const typed = request.query.q;
    if (typeof typed === 'string' && typed.trim() !== '') {
      const address = typedAddress(typed);
      if (address) return reply.redirect(`/${address}`, 303);
      return html(reply.code(400), portalPolicy(), portalDocument(assets, typed.trim()));
    }
    return html(reply, portalPolicy(), portalDocument(assets));
  });

  // Every path that names a page comes here, see `rewriteUrl` (S-006).
  app.get('/vitrine-page', (request, reply) => {
    const page = pageAddress(request.target);
    if (!page) {
      const typed = request.target.replace(/^\/(?:mpa\/[^/]+\/)?/, '');
      return html(reply.code(400), portalPolicy(), portalDocument(assets, typed));
    }
    const host = request.headers.host ?? '';
    const domain = host.replace(/:\d+$/, '');
    return html(
      reply,
      policy,
      shellDocument(assets, {
        DEBUG: false,
        TC_API_VERSION: PROTOCOL_VERSION,
        TC_BUNDLED: true,
        INSPECT_DOMAIN: domain,
        CLUSTER_DOMAIN: domain,
        BUILD_ID: assets.buildId,
        HOST: host,
        TPROXY_ENABLED: false,
        FRAMEBUST: { enabled: false, domains: [] },
      }),
    );
  });

  app.get('/safeview-template/ui.html', (_request, reply) => {
    const frame = pageFrameDocument();
    return html(reply, frame.policy, frame.body);
  });
  for (const [name, template] of Object.entries(VIEW_TEMPLATES)) {
    app.get(`/safeview-template/view/${name}`, (_request, reply) =>
      reply.headers(template.headers).type(template.contentType).send(template.body),
    );
  }
}
