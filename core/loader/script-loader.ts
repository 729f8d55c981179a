import type { Report } from '../events/report.ts';
import type { GatedPlugin } from './gate.ts';

/** How far a script is (S-055). */
const SCRIPT_STATE = { preloading: 1, preloaded: 2, loading: 3, loaded: 4 } as const;
type ScriptState = (typeof SCRIPT_STATE)[keyof typeof SCRIPT_STATE];

/** A script that takes longer counts as completed, and loading goes on without it (S-055). */
const SCRIPT_TIMEOUT_MS = 7000;
/** Fetches scripts ahead and loads them; one that fails, or hangs, holds up the start for a while at most. */
export class ScriptLoader {
  readonly #document: Document;
  readonly #report: Report;
  readonly #states = new Map<string, ScriptState>();

  constructor(document: Document, report: Report) {
    this.#document = document;
    this.#report = report;
  }

  /** Undefined for a script that nobody has asked for. */
  state(address: string): ScriptState | undefined {
    return this.#states.get(address);
  }

  /** Fetches a module into the browser's cache, without running it. */
  async preload(address: string): Promise<void> {
    this.#states.set(address, SCRIPT_STATE.preloading);
    const link = this.#document.createElement('link');
    link.rel = 'modulepreload';
    link.href = address;
    const fetched = new Promise<void>((resolve, reject) => {
      link.onload = () => resolve();
      link.onerror = () => reject(new Error('not fetched'));
    });
    this.#document.head.append(link);
    await this.completed(fetched, address);
    if (this.state(address) === SCRIPT_STATE.preloading) this.#states.set(address, SCRIPT_STATE.preloaded);
  }

  /** Runs a module. One that comes late is still good for whoever waits for it, but {@link completed} does not. */
  load<T>(address: string, run: () => Promise<T>): Promise<T> {
    this.#states.set(address, SCRIPT_STATE.loading);
    const module = run();
    void this.completed(module, address).then(() => this.#states.set(address, SCRIPT_STATE.loaded));
    return module;
  }

  /** Resolves when work has been done or has failed, and after {@link SCRIPT_TIMEOUT_MS} at the latest (S-055). */
  async completed(work: Promise<unknown>, address?: string): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('too late')), SCRIPT_TIMEOUT_MS);
    });
    try {
      await Promise.race([work, late]);
    } catch (thrown) {
      this.#report('tc-script-not-loaded', { address, why: String(thrown) }, { level: 'error', force: true });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Plugins whose client halves are loaded by `scripts`. Halves from outside the build that are not for first use are fetched at once. */
export function withScripts(plugins: readonly GatedPlugin[], scripts: ScriptLoader): readonly GatedPlugin[] {
  for (const { module, manifest } of plugins)
    if (module !== undefined && manifest.activation !== 'first-use') void scripts.preload(module);
  return plugins.map((plugin) => ({
    ...plugin,
    load: () => scripts.load(plugin.module ?? plugin.manifest.id, plugin.load),
  }));
}
