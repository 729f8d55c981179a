import { buildHostHalf, buildSessionHalf } from './external/half-build.ts';
import type { CellPlugin } from './cell-plugins.ts';
import { HALVES } from './halves.ts';
import type { RegisteredPlugin } from './registry.ts';
import type { ExternalService } from './external-service.ts';
import { serviceName } from './service-client.ts';

/**
 * Plugins from outside this checkout as cells take them: values, with their host halves built.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildHostHalves(plugins: readonly RegisteredPlugin[]): Promise<CellPlugin[]> {
  const external = plugins.filter((plugin) => plugin.external);
  if (external.length === 0) return [];
  const esbuild = await import('esbuild');
  try {
    const built: CellPlugin[] = [];
    for (const { manifest, folder, read, half, sessionFiles, module } of external) {
      if (!read) continue; // all external ones have been
      const { id } = manifest;
      const host = half === undefined ? undefined : await buildHostHalf(esbuild, { id, folder, half });
      const session = sessionFiles && (await buildSessionHalf(esbuild, { id, folder }, sessionFiles));
      built.push({
        folder,
        read,
        ...(module !== undefined && { module }),
        ...(host !== undefined && { host }),
        ...(session !== undefined && { session, hasSessionHalf: sessionFiles?.session !== undefined }),
      });
    }
    return built;
  } finally {
    await esbuild.stop();
  }
}

/**
 * Service halves from outside this checkout as their processes take them, by the names of their services.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildServiceHalves(
  plugins: readonly RegisteredPlugin[],
): Promise<ReadonlyMap<string, ExternalService>> {
  const services = new Map<string, ExternalService>();
  const external = plugins.filter(({ serviceHalf }) => serviceHalf !== undefined);
  if (external.length === 0) return services;
  const esbuild = await import('esbuild');
  try {
    for (const { manifest, folder, read, serviceHalf } of external) {
      if (!read || serviceHalf === undefined) continue; // all external ones have been
      const source = { id: manifest.id, folder, half: serviceHalf };
      const service = await buildHostHalf(esbuild, source, HALVES.service.exports);
      services.set(serviceName(manifest), { folder, read, service });
    }
    return services;
  } finally {
    await esbuild.stop();
  }
}
