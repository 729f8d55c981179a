import type { Surface } from '../../testing/gallery.ts';

/** Documents of the gateway: whole pages of their own, which the gallery's document makes room for. */
const NAMES = ['start', 'refused', 'waiting', 'waiting-network', 'protection', 'protection-weak'];

export const surfaces: readonly Surface[] = NAMES.map((name) => ({
  name: `portal.${name}`,
  part: 'main h1',
  show: ({ texts }) => location.replace(`/gallery/documents/${name}?lang=${texts.language}`),
}));
