import { systemFontsToken } from '../../../host/plugin.ts';
import type { Frame, HostScope } from '../../../host/plugin.ts';
import { OP } from '../ops.ts';
import type { Batch } from '../ops.ts';
import { frameGone, hold, mirrorBatch, packBatch, pageResync } from '../protocol.ts';
import { Flow } from './flow.ts';
import { FrameOwners } from './frame-owners.ts';
import { FrameStream } from './frame-stream.ts';
import type { OwnOps } from './frame-stream.ts';
import type { KeepsInline } from './sanitize/addresses.ts';
import { FontSheet } from './font-sheet.ts';
import type { SheetTexts } from './sheet-texts.ts';
import type { SvgFiles } from './svg-files.ts';
import { QueueBudget } from './queue-budget.ts';
import { NodePages } from './sanitize/node-table.ts';

/** Maximum number of batches, and of UTF-16 units, that may wait in one frame before its page half is held. */
const MAX_QUEUED_BATCHES = 64;
const MAX_QUEUED_UNITS = 4 * 1024 * 1024;
/** Maximum number of times that a frame with refused batches is serialized again within a window, and the window in ms. */
const MAX_REFUSALS = 3;
const REFUSAL_WINDOW_MS = 30_000;

/** Returns the path of an opaque token for an absolute address. */
export type Resource = HostScope['tab']['resource'];

interface Mirrored {
  readonly stream: FrameStream;
  held: boolean;
  /** Whether its page half has started in a document that no event has announced yet. */
  isAhead: boolean;
  /** Times of the last requests after a refusal. */
  asked: number[];
}

/** Dependencies of a tab's mirror. */
interface MirrorOptions {
  readonly scope: HostScope;
  readonly resource: Resource;
  readonly keepsInline: KeepsInline;
  readonly showsCanvases: () => boolean;
  readonly applications: () => readonly string[];
  readonly sheets: SheetTexts;
  readonly svg: SvgFiles;
}

/** Host half of one tab's mirror: receives batches of page halves, sends on sanitized ones, and limits the pace to the client's. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #frames = new Map<number, Mirrored>();
  readonly #owners: FrameOwners;
  readonly #flow = new Flow();
  readonly #budget = new QueueBudget();
  readonly #nodePages = new NodePages();
  #lagging = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#owners = new FrameOwners(options.scope.frames, (frame) => this.#frames.get(frame)?.stream);
  }

  /**
   * Called when a frame has navigated to another document. Nothing more of the old one is sent: it would get the new document's resources.
   * The view keeps showing the old content until the new document starts.
   */
  navigated(id: number): void {
    const mirrored = this.#frames.get(id);
    if (!mirrored) return;
    if (mirrored.isAhead) mirrored.isAhead = false;
    else mirrored.stream.reset();
    this.#pace();
  }

  /** Called when a frame shows a document: the client learns the owner element, and so can report a page half that never starts. */
  expect(frame: Frame): void {
    this.#frame(frame);
  }

  /** Called when a page half has started in a frame. */
  ready(frame: Frame): void {
    const mirrored = this.#frame(frame);
    mirrored.held = false; // a new page half is not held
    mirrored.isAhead = frame.url === '';
    this.#pace();
  }

  /** Receives an untrusted batch. @throws AppError `mirror-refused`. */
  take(frame: Frame, batch: Batch): void {
    const mirrored = this.#frame(frame);
    try {
      mirrored.stream.take(batch);
    } catch (thrown) {
      this.#refuse(frame.id, mirrored);
      throw thrown;
    } finally {
      this.#pace();
    }
  }

  /** Called when a frame is removed. */
  gone(id: number): void {
    this.#frames.get(id)?.stream.reset();
    if (!this.#frames.delete(id)) return;
    this.#owners.remove(id);
    this.#flow.forget(id);
    this.#options.scope.commands.send(frameGone, { frame: id });
    this.#pace();
  }

  /** Called when the client has applied a batch. */
  applied(frame: number, epoch: number, seq: number): void {
    this.#flow.applied(frame, epoch, seq);
    this.#pace();
  }

  /** Sends the client a whole frame again. */
  resync(id: number): void {
    const mirrored = this.#frames.get(id);
    if (!mirrored) return;
    mirrored.stream.reset();
    this.#flow.forget(id);
    this.#pace();
    this.#options.scope.page.send(id, pageResync, {});
  }

  /** Sends the client everything again. */
  resyncAll(): void {
    for (const id of [...this.#frames.keys()].sort((a, b) => a - b)) this.resync(id);
  }

  /** Whether the channel has a backlog that the client has not received. */
  set lagging(lagging: boolean) {
    this.#lagging = lagging;
    this.#pace();
  }

  /** Whether the client lags behind. */
  get isBusy(): boolean {
    return this.#lagging || this.#flow.full;
  }

  /** Adds the host's own ops to a frame, if it still is in that epoch. */
  add(frame: number, epoch: number, own: OwnOps): void {
    this.#frames.get(frame)?.stream.add(epoch, own);
  }

  #frame({ id, parent }: Frame): Mirrored {
    const known = this.#frames.get(id);
    if (known) return known;
    const { scope, resource, keepsInline, showsCanvases, applications, sheets, svg } = this.#options;
    const systemFonts = scope.services.find(systemFontsToken);
    const stream = new FrameStream(
      {
        frame: id,
        resource: (kind, address) => resource(kind, address, id),
        keepsInline,
        showsCanvases,
        applications,
        ...(systemFonts && { fonts: new FontSheet(systemFonts) }),
        sheet: (job, signal) => sheets.text(id, job, signal),
        svg: (address) => svg.path(id, address),
        budget: this.#budget,
        nodePages: this.#nodePages,
        emit: (batch, units) => this.#emit(id, batch, units),
        onTaken: (begins) => this.#owners.taken(id, begins),
      },
      parent === 0,
    );
    const mirrored: Mirrored = { stream, held: false, isAhead: false, asked: [] };
    this.#frames.set(id, mirrored);
    if (parent !== 0) this.#owners.add(id, parent);
    return mirrored;
  }

  #emit(frame: number, batch: Batch, units: number): void {
    if (batch.ops[0]?.[0] === OP.doc) this.#flow.forget(frame);
    this.#flow.sent(frame, batch.epoch, batch.seq, units);
    this.#options.scope.commands.send(mirrorBatch, packBatch(frame, batch));
    this.#pace();
  }

  /** Asks a frame with a refused batch to serialize again, unless that has failed too often. */
  #refuse(id: number, mirrored: Mirrored): void {
    const now = performance.now();
    mirrored.asked = mirrored.asked.filter((at) => now - at < REFUSAL_WINDOW_MS);
    if (mirrored.asked.length >= MAX_REFUSALS) return;
    mirrored.asked.push(now);
    this.#options.scope.page.send(id, pageResync, {});
  }

  /** Holds the page halves that are too far ahead, releases the others. */
  #pace(): void {
    const all = this.isBusy;
    for (const [id, mirrored] of this.#frames) {
      const { stream } = mirrored;
      const share = mirrored.held ? 0.5 : 1;
      const own = stream.queued > MAX_QUEUED_BATCHES * share || stream.queuedUnits > MAX_QUEUED_UNITS * share;
      if (mirrored.held === (all || own)) continue;
      mirrored.held = !mirrored.held;
      this.#options.scope.page.send(id, hold, { held: mirrored.held });
    }
  }
}
