import type { ReactElement } from 'react';
import { COLUMNS, HEIGHT } from './graph.ts';
import type { Graph } from './graph.ts';

/** Content of the panel. */
export interface PanelProps {
  readonly graphs: readonly Graph[];
}

/** The graphs in a column; they draw themselves. */
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
