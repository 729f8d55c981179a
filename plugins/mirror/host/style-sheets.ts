import type { HostScope } from '../../../host/plugin.ts';
import { sheetsDirty, topLayerDirty } from '../protocol.ts';
import type { SheetIds } from './text-source.ts';

/** Maximum number of a tab's sheets whose ids are kept. */
const MAX_SHEETS = 20_000;
/** Interval in which changes of sheets are batched, in ms. */
const GATHER_MS = 16;

interface Known {
  readonly frame: number;
  readonly address: string;
  readonly owner: number | undefined;
}

/**
 * Changes of style sheets and of the top layer that only Chromium's inspector reports: rules that scripts insert or delete, and dialogs
 * that open. The page halves find the changes themselves; they are only notified where to look.
 */
export class StyleSheets implements SheetIds {
  readonly #scope: HostScope;
  readonly #byId = new Map<string, Known>();
  readonly #byAddress = new Map<string, string>();
  /** Backend nodes of the elements whose sheets have changed, by frame; undefined stands for a sheet without one. */
  readonly #changed = new Map<number, Set<number | undefined>>();
  #timer: NodeJS.Timeout | undefined;
  #isNotifying = false;
  #topLayer: NodeJS.Immediate | undefined;

  constructor(scope: HostScope) {
    this.#scope = scope;
    const { cdp } = scope;
    cdp.on('CSS.styleSheetAdded', ({ header }) => {
      const frame = cdp.frameOf(header.frameId);
      if (frame === undefined || this.#byId.size >= MAX_SHEETS) return;
      const address = header.isInline ? '' : header.sourceURL;
      this.#byId.set(header.styleSheetId, { frame, address, owner: header.ownerNode });
      if (address !== '') this.#byAddress.set(`${frame} ${address}`, header.styleSheetId);
    });
    cdp.on('CSS.styleSheetRemoved', ({ styleSheetId }) => {
      const known = this.#byId.get(styleSheetId);
      this.#byId.delete(styleSheetId);
      const key = known && `${known.frame} ${known.address}`;
      if (key !== undefined && this.#byAddress.get(key) === styleSheetId) this.#byAddress.delete(key);
    });
    cdp.on('CSS.styleSheetChanged', ({ styleSheetId }) => this.#note(this.#byId.get(styleSheetId)));
    cdp.on('DOM.topLayerElementsUpdated', () => {
      // The event does not name the frame.
      this.#topLayer ??= setImmediate(() => {
        this.#topLayer = undefined;
        for (const { id } of scope.frames.all()) scope.page.send(id, topLayerDirty, {});
      });
    });
    cdp.enable('DOM');
    cdp.enable('CSS');
    scope.onDispose(() => {
      clearTimeout(this.#timer);
      clearImmediate(this.#topLayer);
    });
  }

  idOf(frame: number, address: string): string | undefined {
    return this.#byAddress.get(`${frame} ${address}`);
  }

  /** Called when a frame is removed with its sheets. */
  forget(frame: number): void {
    for (const [id, known] of this.#byId) {
      if (known.frame !== frame) continue;
      this.#byId.delete(id);
      this.#byAddress.delete(`${frame} ${known.address}`);
    }
    this.#changed.delete(frame);
  }

  #note(known: Known | undefined): void {
    if (!known) return;
    const changed = this.#changed.get(known.frame);
    if (changed) changed.add(known.owner);
    else this.#changed.set(known.frame, new Set([known.owner]));
    this.#schedule();
  }

  /** Notifies the page halves soon, and not before they have been notified of earlier changes. */
  #schedule(): void {
    if (!this.#isNotifying && this.#changed.size > 0) this.#timer ??= setTimeout(() => void this.#notify(), GATHER_MS);
  }

  async #notify(): Promise<void> {
    this.#timer = undefined;
    this.#isNotifying = true;
    const changed = [...this.#changed];
    this.#changed.clear();
    await Promise.allSettled(changed.map(([frame, owners]) => this.#tellFrame(frame, owners)));
    this.#isNotifying = false;
    if (!this.#scope.signal.aborted) this.#schedule();
  }

  async #tellFrame(frame: number, owners: ReadonlySet<number | undefined>): Promise<void> {
    const { frames, page } = this.#scope;
    const nodes: number[] = [];
    for (const owner of owners) {
      // An element that has not been sent yet will be sent with its current sheet.
      const name = owner === undefined ? undefined : await frames.nodeIdOf(frame, owner).catch(() => undefined);
      if (name) nodes.push(name.node);
    }
    if (this.#scope.signal.aborted) return;
    if (nodes.length > 0) page.send(frame, sheetsDirty, { nodes });
    // No nodes: sheets without an element, which the page has constructed.
    if (owners.has(undefined)) page.send(frame, sheetsDirty, { nodes: [] });
  }
}
