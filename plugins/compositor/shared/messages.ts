import { binaryForm } from './binary.ts';
import type { BinaryForm } from './binary.ts';
import { base64Schema } from './base64.ts';
import { fromBase64, toBase64 } from '../../../core/protocol/base64.ts';
import { checked, choice, float32, float64, id, list, text, uint } from './codec.ts';
import { displayListDeltaForm } from './display-list.ts';
import { pixelRect, size } from './geometry.ts';
import { message, validate } from '../../../core/protocol/message.ts';
import type { Message } from '../../../core/protocol/message.ts';
import { record } from './record.ts';

/** Largest body of a message that holds but some numbers, in bytes. */
const MAX_SMALL_BYTES = 64;
/** Largest debug data, in bytes, readings, and bytes of the name of one. */
const MAX_DEBUG_BYTES = 65_536;
const MAX_READINGS = 512;
const MAX_READING_NAME_BYTES = 64;

/** Largest distance from the viewport in which something is drawn, in px. Scrolling asks for the largest that the specification names. */
export const MAX_PIXEL_DISTANCE = 100_000;
/** Bounds of the time between two frames, in ms: that of a tab that cannot be seen is the longest. */
export const MIN_FRAME_DELAY_MS = 33;
export const MAX_FRAME_DELAY_MS = 3000;
/** Why a canvas of the page is drawn by the surrogate from now on. */
export const FALLBACK_REASONS = ['memory', 'draw-failure', 'tainted', 'policy'] as const;

/**
 * A message whose parameters are a record in binary, as base64. Its schema checks that they are base64 of no more than they may
 * be; what they say is checked by the two directions: neither lets through what the other would not take.
 */
export interface BinaryMessage<T> extends Message<string, undefined> {
  /** Parameters to send. @throws AppError `bad-binary`. */
  readonly pack: (value: T) => string;
  /** Reads received parameters. @throws AppError `bad-message` for what is no base64, `bad-binary` for bytes that are not ours. */
  readonly unpack: (params: unknown) => T;
}

/** In the lane of commits, so that none overtakes the commit that it speaks of. */
function binaryMessage<T>(name: string, form: BinaryForm<T>): BinaryMessage<T> {
  const params = base64Schema(form.maxBytes);
  return {
    ...message<string>(name, { direction: 'host-to-client', lane: 'view', params }),
    pack: (value) => toBase64(form.encode(value)),
    unpack: (received) => form.decode(fromBase64(validate(params, received, name))),
  };
}

/** All layers of a frame are out of date: nothing of it is drawn until a commit with its full tree has come. */
export const invalidateLayerTree = binaryMessage(
  'invalidate layer tree',
  binaryForm('invalidate layer tree', record({ fid: id }), MAX_SMALL_BYTES),
);

/** A frame of its own process begins to draw into the SurfaceLayer of this frame sink: before its first commit, which names the same. */
export const attachLayerTreeHost = binaryMessage(
  'attach layer tree host',
  binaryForm(
    'attach layer tree host',
    record({ fid: id, parent_fid: id, frame_sink_id: id, viewport: size }),
    MAX_SMALL_BYTES,
  ),
);

/** Changes of the display list of a layer. */
export const displayListDelta = binaryMessage('display list delta', displayListDeltaForm);

/** A part of a layer is out of date, in px of the layer: its contents follow. */
export const invalidateLayerRect = binaryMessage(
  'invalidate layer rect',
  binaryForm('invalidate layer rect', record({ fid: id, layer_id: id, rect: pixelRect }), MAX_SMALL_BYTES),
);

const reading = record({ name: text(MAX_READING_NAME_BYTES), value: float64 });

/** Figures of the surrogate's drawing, for those who watch it at work: names are for people, and change with the surrogate. */
export const debugData = binaryMessage(
  'debug data',
  binaryForm('debug data', record({ fid: id, readings: list(reading, MAX_READINGS) }), MAX_DEBUG_BYTES),
);

const distance = checked(float32, 'a distance', (value) => value >= 0 && value <= MAX_PIXEL_DISTANCE);

/** How far from the viewport the surrogate draws from now on, in px: farther while the person scrolls. */
export const pixelDistance = binaryMessage(
  'pixel distance',
  binaryForm('pixel distance', record({ fid: id, distance }), MAX_SMALL_BYTES),
);

const delay = checked(uint(MAX_FRAME_DELAY_MS), 'a frame delay', (value) => value >= MIN_FRAME_DELAY_MS);

/** The surrogate sends commits no closer than this from now on, in ms. */
export const frameDelay = binaryMessage(
  'frame delay',
  binaryForm('frame delay', record({ fid: id, delay_ms: delay }), MAX_SMALL_BYTES),
);

/** Content of the layer of a canvas comes as pictures from the surrogate from now on, as the client cannot draw it. */
export const remoteCanvasSourceFallback = binaryMessage(
  'remote canvas source fallback',
  binaryForm(
    'remote canvas source fallback',
    record({ fid: id, layer_id: id, node_id: id, reason: choice(FALLBACK_REASONS) }),
    MAX_SMALL_BYTES,
  ),
);

/** All of them, in opcode order: append only, until PROTOCOL_VERSION rises. */
export const COMPOSITOR_MESSAGES = [
  invalidateLayerTree,
  attachLayerTreeHost,
  displayListDelta,
  invalidateLayerRect,
  debugData,
  pixelDistance,
  frameDelay,
  remoteCanvasSourceFallback,
] as const;
