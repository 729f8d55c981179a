import type { ReactElement } from 'react';
import { COLUMNS, HEIGHT } from './graph.ts';
import type { Graph } from './graph.ts';

/** What the panel shows. */
export interface PanelProps {
  readonly graphs: readonly Graph[];
}

/** The graphs below one another; they draw themselves. */
export default function Panel({ graphs }: PanelProps): ReactElement {
  return (
    <section className="vitrine-hud" aria-label="Debug HUD">
      {graphs.map((graph) => (
        <div key={graph.name}>
          <span>{graph.name}</span>
          <output ref={graph.label} aria-label={graph.name} />
          <canvas ref={graph.attach} width={COLUMNS} height={HEIGHT} />
        </div>
      ))}
    </section>
  );
}
