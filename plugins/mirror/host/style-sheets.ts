import type { HostScope, SessionOrigin } from '../../../host/plugin.ts';
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
  /** By session and id: a session may name any id. */
  readonly #byId = new Map<string, Known>();
  readonly #byAddress = new Map<string, string>();
  /** Backend nodes of the elements whose sheets have changed, by frame; undefined stands for a sheet without one. */
  readonly #changed = new Map<number, Set<number | undefined>>();
  #timer: NodeJS.Timeout | undefined;
  #isNotifying = false;
  #topLayer: NodeJS.Immediate | undefined;
  /** Frames whose top layers may have changed. */
  readonly #topLayers = new Set<number>();

  constructor(scope: HostScope) {
    this.#scope = scope;
    const { cdp } = scope;
    cdp.on('CSS.styleSheetAdded', ({ header }, origin) => {
      const frame = cdp.frameOf(header.frameId);
      if (frame === undefined || this.#byId.size >= MAX_SHEETS) return;
      const address = header.isInline ? '' : header.sourceURL;
      this.#byId.set(keyOf(origin, header.styleSheetId), { frame, address, owner: header.ownerNode });
      if (address !== '') this.#byAddress.set(`${frame} ${address}`, header.styleSheetId);
    });
    cdp.on('CSS.styleSheetRemoved', ({ styleSheetId }, origin) => {
      const known = this.#byId.get(keyOf(origin, styleSheetId));
      this.#byId.delete(keyOf(origin, styleSheetId));
      const key = known && `${known.frame} ${known.address}`;
      if (key !== undefined && this.#byAddress.get(key) === styleSheetId) this.#byAddress.delete(key);
    });
    cdp.on('CSS.styleSheetChanged', ({ styleSheetId }, origin) =>
      this.#note(this.#byId.get(keyOf(origin, styleSheetId))),
    );
    cdp.on('DOM.topLayerElementsUpdated', (_params, origin) => {
      // The event does not name the frame; its process may speak for these only.
      for (const id of cdp.framesOf(origin)) this.#topLayers.add(id);
      this.#topLayer ??= setImmediate(() => {
        this.#topLayer = undefined;
        for (const id of this.#topLayers) scope.page.send(id, topLayerDirty, {});
        this.#topLayers.clear();
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

function keyOf({ frame }: SessionOrigin, styleSheetId: string): string {
  return `${frame} ${styleSheetId}`;
}
