import type { FastifyInstance } from 'fastify';
import { PLUGIN_BASE } from '../build/base.ts';
import type { PluginFile } from '../plugins/external/external-plugins.ts';

/** Serves client halves of external plugins. Their addresses contain a content hash, so they never change. */
export function pluginRoutes(app: FastifyInstance, files: ReadonlyMap<string, PluginFile>): void {
  app.get<{ Params: { id: string; file: string } }>(`${PLUGIN_BASE}:id/:file`, async (request, reply) => {
    const { id, file } = request.params;
    const found = files.get(`${PLUGIN_BASE}${id}/${file}`);
    if (!found) {
      reply.callNotFound();
      return reply;
    }
    const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    return reply
      .headers({
        'content-type': found.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(takesBrotli && { 'content-encoding': 'br' }),
      })
      .send(takesBrotli ? found.brotli : found.body);
  });
}
