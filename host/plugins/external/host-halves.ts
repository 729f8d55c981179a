import { buildHostHalf } from './half-build.ts';
import type { CellPlugin } from '../cell-plugins.ts';
import type { RegisteredPlugin } from '../registry.ts';

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
    for (const { manifest, folder, read, half, module } of external) {
      if (!read) continue; // all external ones have been
      const host = half === undefined ? undefined : await buildHostHalf(esbuild, { id: manifest.id, folder, half });
      built.push({ folder, read, ...(module !== undefined && { module }), ...(host !== undefined && { host }) });
    }
    return built;
  } finally {
    await esbuild.stop();
  }
}
