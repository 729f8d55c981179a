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

/** What may wait in one frame before its page half is held: batches, and UTF-16 units. */
const MAX_QUEUED_BATCHES = 64;
const MAX_QUEUED_UNITS = 4 * 1024 * 1024;
/** How often a frame whose batches are refused is serialized again, within how many ms. */
const MAX_REFUSALS = 3;
const REFUSAL_WINDOW_MS = 30_000;

/** Answers with the path of an opaque token for an absolute address. */
export type Resource = HostScope['tab']['resource'];

interface Mirrored {
  readonly stream: FrameStream;
  held: boolean;
  /** Its page half has started in a document that nobody has told of yet. */
  isAhead: boolean;
  /** When it was last asked for again because of a refusal. */
  asked: number[];
}

/** What a tab's mirror works with. */
interface MirrorOptions {
  readonly scope: HostScope;
  readonly resource: Resource;
  readonly keepsInline: KeepsInline;
  readonly showsCanvases: () => boolean;
  readonly sheets: SheetTexts;
  readonly svg: SvgFiles;
}

/** The host half of one tab's mirror: takes what page halves send, hands on what is safe, keeps the pace of the client. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #frames = new Map<number, Mirrored>();
  readonly #owners: FrameOwners;
  readonly #flow = new Flow();
  #lagging = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#owners = new FrameOwners(options.scope.frames, (frame) => this.#frames.get(frame)?.stream);
  }

  /**
   * A frame has gone to another document: nothing more is sent of the one before, which would be given what is meant for this one. The
   * view keeps what it shows until this one begins.
   */
  navigated(id: number): void {
    const mirrored = this.#frames.get(id);
    if (!mirrored) return;
    if (mirrored.isAhead) mirrored.isAhead = false;
    else mirrored.stream.reset();
    this.#pace();
  }

  /** A frame shows a document: the client is told which element shows it, and so has something to miss when no page half starts. */
  expect(frame: Frame): void {
    this.#frame(frame);
  }

  /** A page half has started in a frame. */
  ready(frame: Frame): void {
    const mirrored = this.#frame(frame);
    mirrored.held = false; // a new page half holds nothing
    mirrored.isAhead = frame.url === '';
    this.#pace();
  }

  /** Takes an untrusted batch. @throws AppError `mirror-refused`. */
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

  /** A frame is gone. */
  gone(id: number): void {
    this.#frames.get(id)?.stream.reset();
    if (!this.#frames.delete(id)) return;
    this.#owners.remove(id);
    this.#flow.forget(id);
    this.#options.scope.commands.send(frameGone, { frame: id });
    this.#pace();
  }

  /** The client has applied a batch. */
  applied(frame: number, epoch: number, seq: number): void {
    this.#flow.applied(frame, epoch, seq);
    this.#pace();
  }

  /** The client has to be sent all of a frame again. */
  resync(id: number): void {
    const mirrored = this.#frames.get(id);
    if (!mirrored) return;
    mirrored.stream.reset();
    this.#flow.forget(id);
    this.#pace();
    this.#options.scope.page.send(id, pageResync, {});
  }

  /** The client has nothing of what was sent. */
  resyncAll(): void {
    for (const id of [...this.#frames.keys()].sort((a, b) => a - b)) this.resync(id);
  }

  /** Whether the channel has more to send than the client takes. */
  set lagging(lagging: boolean) {
    this.#lagging = lagging;
    this.#pace();
  }

  /** Whether the client is behind. */
  get isBusy(): boolean {
    return this.#lagging || this.#flow.full;
  }

  /** Adds ops of the host's own to a frame's, while it is in that epoch. */
  add(frame: number, epoch: number, own: OwnOps): void {
    this.#frames.get(frame)?.stream.add(epoch, own);
  }

  #frame({ id, parent }: Frame): Mirrored {
    const known = this.#frames.get(id);
    if (known) return known;
    const { scope, resource, keepsInline, showsCanvases, sheets, svg } = this.#options;
    const systemFonts = scope.services.find(systemFontsToken);
    const stream = new FrameStream(
      {
        frame: id,
        resource: (kind, address) => resource(kind, address, id),
        keepsInline,
        showsCanvases,
        ...(systemFonts && { fonts: new FontSheet(systemFonts) }),
        sheet: (job, signal) => sheets.text(id, job, signal),
        svg: (address) => svg.path(id, address),
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

  /** Asks for a frame again whose batch does not fit, unless that has been of no use. */
  #refuse(id: number, mirrored: Mirrored): void {
    const now = performance.now();
    mirrored.asked = mirrored.asked.filter((at) => now - at < REFUSAL_WINDOW_MS);
    if (mirrored.asked.length >= MAX_REFUSALS) return;
    mirrored.asked.push(now);
    this.#options.scope.page.send(id, pageResync, {});
  }

  /** Holds the page halves that are ahead, releases those that are not. */
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
