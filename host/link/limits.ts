/** Bounds of the wire format. Both sides must have the same: they are compared when a link starts. */
export interface WireLimits {
  /** Bytes of one JSON payload: params, an answer, a notice. */
  readonly jsonBytes: number;
  /** Bytes of a chunk or a body in one frame. */
  readonly pieceBytes: number;
  /** Bytes of one chunk of a stream. */
  readonly chunkBytes: number;
  /** A stream may begin a chunk while less than this is unconsumed on the other side. */
  readonly windowBytes: number;
  /** The same of a body: of few at a time. While more than {@link LinkLimits.wideBytes} of the link is unconsumed, bodies have no more than streams. */
  readonly bodyBytes: number;
  /** The same, in chunks. */
  readonly windowChunks: number;
  /** The same in bytes, for all streams and bodies of one direction together. */
  readonly linkBytes: number;
}

/** Bounds of one side. */
export interface LinkLimits extends WireLimits {
  /** Bytes of frames other than pieces that wait for the socket; past it the link is ended as `link-stalled`. */
  readonly controlBytes: number;
  /** Unconsumed bytes of the whole link up to which bodies have their own window: many slow readers do not take the link from others. */
  readonly wideBytes: number;
  /** Bytes that wait in one stream for credit; past it the stream is closed as `link-stalled`. */
  readonly waitingBytes: number;
  /** Calls to the other side that are not complete. */
  readonly calls: number;
  /** Calls of the other side that are not complete: number, and bytes of their parameters in JSON. */
  readonly handling: number;
  readonly handlingBytes: number;
  /** Open streams, for each side that opens them. */
  readonly streams: number;
  readonly pings: number;
  /** Time for an answer unless the call says otherwise, in ms. */
  readonly deadlineMs: number;
  readonly maxDeadlineMs: number;
  /** Time without any progress after which a body, or a stream that is closing, is aborted, in ms. */
  readonly stallMs: number;
  /** Answers kept for their idempotency keys: number, bytes, and time in ms. */
  readonly answers: number;
  readonly answerBytes: number;
  readonly answerMs: number;
  /** Work for received frames (`reader.ts`), in units of about 10 microseconds: in one turn, over time, and at once. */
  readonly turnUnits: number;
  readonly unitsPerMs: number;
  readonly burstUnits: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The bounds unless others are given. */
export const LINK_LIMITS: LinkLimits = {
  jsonBytes: MIB,
  pieceBytes: 64 * KIB,
  chunkBytes: 8 * MIB,
  windowBytes: 256 * KIB,
  bodyBytes: MIB,
  windowChunks: 256,
  linkBytes: 32 * MIB,
  controlBytes: 16 * MIB,
  wideBytes: 8 * MIB,
  waitingBytes: 32 * MIB,
  calls: 1024,
  handling: 256,
  handlingBytes: 4 * MIB,
  streams: 512,
  pings: 16,
  deadlineMs: 30_000,
  maxDeadlineMs: 600_000,
  stallMs: 300_000,
  answers: 256,
  answerBytes: 4 * MIB,
  answerMs: 120_000,
  turnUnits: 128,
  unitsPerMs: 20,
  burstUnits: 10_000,
};

/** Longest name of a method, notice or stream, and longest idempotency key, in UTF-16 units. */
export const MAX_NAME = 128;
/** Longest reason and error message, in UTF-16 units; longer ones are cut by the sender. */
export const MAX_TEXT = 2048;
