import * as v from 'valibot';
import { id, integer, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';
import type { Schema } from '../../core/protocol/message.ts';
import { isBatch } from './ops.ts';
import type { Batch, Op } from './ops.ts';
import { packOps, unpackOps } from './packing.ts';

const batchSchema: Schema<Batch> = v.custom<Batch>(isBatch, 'a mirror batch');

/** Changes that a page half has observed. Untrusted: the host half makes a {@link mirrorBatch} of it, or none. */
export const pageBatch = message('mirror.page-batch', { direction: 'page-to-host', lane: 'view', params: batchSchema });

/** A batch of a frame on the wire: without field names, which would be most of the cost of a typed character. */
type FrameBatch = readonly [
  frame: number,
  epoch: number,
  seq: number,
  more: boolean,
  strings: readonly string[],
  ops: readonly Op[],
];

/** Packs a batch for the wire. */
export function packBatch(frame: number, { epoch, seq, more, strings, ops }: Batch): FrameBatch {
  return [frame, epoch, seq, more, strings, packOps(ops)];
}

/** Unpacks a batch from the wire. */
export function unpackBatch([, epoch, seq, more, strings, ops]: FrameBatch): Batch {
  return { epoch, seq, more, strings, ops: unpackOps(ops) };
}

function isFrameBatch(value: unknown): value is FrameBatch {
  if (!Array.isArray(value)) return false;
  const [frame, epoch, seq, more, strings, ops] = value as readonly unknown[];
  return v.is(id, frame) && isBatch({ epoch, seq, more, strings, ops });
}

/** A sanitized batch for the view (M-001). */
export const mirrorBatch = message('mirror.batch', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.custom<FrameBatch>(isFrameBatch, 'a batch of a frame'),
});

/** A frame is removed, with all its content. */
export const frameGone = message('mirror.frame-gone', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({ frame: id }),
});

/** The view has applied a batch. Flow control and messages that wait for a node depend on it. */
export const applied = message('mirror.applied', {
  direction: 'client-to-host',
  lane: 'view',
  params: v.object({ frame: id, epoch: integer, seq: id }),
});

/** The client has lost track of a frame (a gap, an unknown node): send the whole frame again (M-051). */
export const resync = message('mirror.resync', {
  direction: 'client-to-host',
  lane: 'view',
  params: v.object({ frame: id, reason: text(200) }),
});

/** The content of a frame is attached elsewhere in the view and must be rebuilt there (M-079): send the whole frame again. */
export const graft = message('graft', {
  direction: 'client-to-host',
  lane: 'view',
  params: v.object({ frame: id }),
});

/** Asks a page half to serialize its whole document again, as the first batch of a new epoch. */
export const pageResync = message('mirror.page-resync', {
  direction: 'host-to-page',
  lane: 'view',
  params: v.object({}),
});

/** Flow control: while held, a page half keeps dirty sets and serializes nothing. */
export const hold = message('mirror.hold', {
  direction: 'host-to-page',
  lane: 'view',
  params: v.object({ held: v.boolean() }),
});

/** Style sheets that script has or may have changed: the page half compares them and sends the differences. */
export const sheetsDirty = message('mirror.sheets-dirty', {
  direction: 'host-to-page',
  lane: 'view',
  params: v.object({ nodes: v.array(id) }),
});

const fontSchema = v.object({
  family: v.string(),
  style: v.string(),
  weight: v.string(),
  stretch: v.string(),
  range: v.string(),
  source: v.string(),
  /** Number of a long source, which is empty here: the document that has the face asks for it ({@link fontSource}). */
  key: v.exactOptional(integer),
});
/** Descriptors of a font face, and the address that it was loaded from. */
export type LoadedFont = v.InferOutput<typeof fontSchema>;

/** A frame of the page has loaded a font. */
export const fontLoaded = message('mirror.font-loaded', {
  direction: 'host-to-page',
  lane: 'view',
  params: fontSchema,
});

/** Asks for a long source of a loaded font; null when it is not kept any more, or too much has been asked for: ask again later. */
export const fontSource = message('mirror.font-source', {
  direction: 'page-to-host',
  lane: 'view',
  params: v.object({ key: integer }),
  result: v.nullable(v.string()),
});

/** Asks for a picture of a canvas (tainted-canvas.ts) to be sent to the view; the answer says whether it shows anything new. */
export const showTainted = message('mirror.show-tainted', {
  direction: 'page-to-host',
  lane: 'view',
  params: v.array(v.number()),
  result: v.boolean(),
});

/** The top layer may have changed. */
export const topLayerDirty = message('mirror.top-layer-dirty', {
  direction: 'host-to-page',
  lane: 'view',
  params: v.object({}),
});
