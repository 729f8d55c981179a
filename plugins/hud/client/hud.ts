import { SLOTS } from '../../../core/index.ts';
import type { ClientScope, SlotContribution, Diagnostics } from '../../../core/index.ts';
import { surrogateFrames } from '../protocol.ts';
import { Graph } from './graph.ts';
import styles from './hud.css';
import type { Switchable } from './index.ts';
import { MEASURES, Meter } from './meter.ts';
import type { PanelProps } from './panel.tsx';

/** Interval between two columns, in ms. */
const REFRESH_MS = 100;
/** Timeout of a count, in ms. Counting takes one second; a page that draws too little never answers. */
const ANSWER_MS = 3000;
const RETRY_MS = 1000;

const panel: SlotContribution<PanelProps> = { load: () => import('./panel.tsx'), styles: [styles], order: 100 };

/** The panel with the graphs. It measures nothing while hidden. */
export class Hud implements Switchable {
  readonly #scope: ClientScope;
  readonly #diagnostics: Diagnostics;
  #surrogateFps = 0;
  #hide: (() => void) | undefined;

  constructor(scope: ClientScope, diagnostics: Diagnostics) {
    this.#scope = scope;
    this.#diagnostics = diagnostics;
    scope.onDispose(() => this.#hide?.());
  }

  toggle(): void {
    if (this.#hide) {
      this.#hide();
      this.#hide = undefined;
    } else this.#hide = this.#show();
  }

  #show(): () => void {
    const { session, slots } = this.#scope;
    const graphs = MEASURES.map(({ name }) => new Graph(name));
    const meter = new Meter();
    let frames = 0;
    let request = requestAnimationFrame(function frame() {
      frames += 1;
      request = requestAnimationFrame(frame);
    });
    const refresh = setInterval(() => {
      const values = meter.take({
        ...this.#diagnostics.readings(),
        time: performance.now(),
        frames,
        bytes: session.bytesReceived(),
        surrogateFps: this.#surrogateFps,
      });
      graphs.forEach((graph, at) => graph.add(values[at] ?? 0));
    }, REFRESH_MS);
    const hidden = new AbortController();
    void this.#askSurrogate(hidden.signal);
    const empty = slots.fill(SLOTS.panel, panel, { graphs });
    return () => {
      cancelAnimationFrame(request);
      clearInterval(refresh);
      hidden.abort();
      empty();
    };
  }

  /** Requests the surrogate's frame rate repeatedly. Each answer covers one second; a page that draws nothing never answers. */
  async #askSurrogate(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { perSecond } = await this.#scope.commands.call(surrogateFrames, {}, { deadlineMs: ANSWER_MS });
        this.#surrogateFps = perSecond;
      } catch {
        this.#surrogateFps = 0;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS)); // between two pages, or nothing is drawn
      }
    }
  }
}
