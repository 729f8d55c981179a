import type { FileDrag, HostScope, StagingArea } from '../../../host/plugin.ts';
import type { Target } from '../../../core/protocol/target.ts';
import type { manifest } from '../manifest.ts';
import { pageTakes } from '../protocol.ts';
import { addressesOf } from './frame-addresses.ts';
import type { RunningUploads } from './session.ts';
import type { FileTarget } from './upload.ts';

const PAGE_DEADLINE_MS = 3000;
/** Ends of file names by which Chromium finds these types again; others are dragged without one. */
const ENDS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/json': '.json',
  'audio/mpeg': '.mp3',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/plain': '.txt',
  'video/mp4': '.mp4',
};

type Scope = Pick<HostScope<typeof manifest>, 'frames' | 'page' | 'tab'>;

/** Files that the person drags over the page: empty ones of the same types stand for them until they are dropped and have been judged. */
export class DraggedFiles {
  readonly #scope: Scope;
  readonly #running: Pick<RunningUploads, 'stage'>;
  #drag:
    { readonly types: string; readonly staged: Promise<StagingArea>; readonly over: Promise<FileDrag> } | undefined;

  constructor(scope: Scope, running: Pick<RunningUploads, 'stage'>) {
    this.#scope = scope;
    this.#running = running;
  }

  /** Resolves with whether the page takes them there. Rejects as `StagingArea`. */
  async over(target: Target, modifiers: number, types: readonly string[]): Promise<boolean> {
    const key = types.join();
    if (this.#drag?.types !== key) {
      const before = this.leave(); // takes it away at once: of two at a time none is forgotten
      const staged = before.then(() => this.#stage(types));
      const over = staged.then((area) => this.#begin(area));
      over.catch(() => undefined); // its caller gets the error
      this.#drag = { types: key, staged, over };
    }
    return (await this.#drag.over).over(target, modifiers);
  }

  /** They have left the page, or are dropped. Never rejects. */
  async leave(): Promise<void> {
    const drag = this.#drag;
    this.#drag = undefined;
    // There may be a folder though nothing was dragged, and nothing where no folder could be made.
    await drag?.over.then((over) => over.leave()).catch(() => undefined);
    await drag?.staged.then((staged) => staged.remove()).catch(() => undefined);
  }

  /** Where files are given to that have been dropped. */
  async target(at: Target, modifiers: number): Promise<FileTarget> {
    const addresses = await addressesOf(this.#scope, at.frame);
    return { frame: at.frame, addresses, asFolder: true, give: (staged) => this.#begin(staged).drop(at, modifiers) };
  }

  #begin(staged: StagingArea): FileDrag {
    const { page, tab } = this.#scope;
    return staged.drag(tab.id, async (frame) => {
      const { isTaken } = await page.call(frame, pageTakes, {}, { deadlineMs: PAGE_DEADLINE_MS });
      return isTaken;
    });
  }

  async #stage(types: readonly string[]): Promise<StagingArea> {
    const staged = await this.#running.stage();
    try {
      for (const [at, type] of types.entries())
        await staged.add({ path: [`file${at}${ENDS[type] ?? ''}`], bytes: none() });
    } catch (thrown) {
      await staged.remove();
      throw thrown;
    }
    return staged;
  }
}

async function* none(): AsyncGenerator<Uint8Array, void> {
  yield new Uint8Array();
}
