import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { galleryRoutes } from '../../host/gallery/gallery.ts';
import { gatewayDocument } from '../../host/gateway/gallery-documents.ts';
import { pageFrameDocument } from '../../host/gateway/page-frame.ts';

/** The gallery as the host serves it, without a host: nothing in it needs one. */
export async function serveGallery(root: string): Promise<{ readonly address: string; readonly app: FastifyInstance }> {
  const app = Fastify();
  galleryRoutes(app, root, gatewayDocument);
  app.get('/safeview-template/ui.html', (_request, reply) => {
    const { policy, body } = pageFrameDocument();
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(body);
  });
  app.get('/safeview-static/css/snackbar.css', (_request, reply) =>
    reply.redirect('/gallery/css/core/overlay/snackbar.css'),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  return { address: `http://127.0.0.1:${port}/gallery`, app };
}
