import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import { COLUMNS, Graph } from '../client/graph.ts';
import type { PanelProps } from '../client/panel.tsx';
import styles from '../client/hud.css';

export const surfaces: readonly Surface[] = [
  {
    name: 'hud.panel',
    part: '.vitrine-hud',
    show: ({ slots }) => {
      const graphs = ['Latency', 'Batches'].map((name) => new Graph(name));
      for (const graph of graphs) for (let i = 0; i < COLUMNS; i += 1) graph.add((i * 7) % 31);
      const props: PanelProps = { graphs };
      slots.fill(SLOTS.panel, { load: () => import('../client/panel.tsx'), styles: [styles] }, props);
    },
  },
];
