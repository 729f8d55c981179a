import { AppError } from '../../../core/protocol/errors.ts';
import type { Size } from '../../resources/picture-size.ts';
import type { ResourceCdp } from './resource-cdp.ts';

/** Name of the world in which pictures are converted: pages cannot access it. */
const WORLD = 'vitrine-pictures';
/** Deadline for one conversion, in ms. */
const DEADLINE_MS = 10_000;

/** Options of a conversion. */
interface Making {
  readonly format: 'webp' | 'png';
  /** 1 to 100. */
  readonly quality: number;
  /** Longest side in pixels. */
  readonly maxSide: number;
}

/** A converted picture. */
interface Made {
  readonly bytes: Uint8Array;
  /** Displayed size of the picture file in pixels: rotated by its metadata, before it was scaled down. */
  readonly natural: Size;
}

/** Runs in the surrogate. Of an animated picture only the first frame is kept. */
const MAKE = `async function (base64, type, quality, maxSide) {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]));
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, bitmap.width * scale), Math.max(1, bitmap.height * scale));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type, quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { base64: btoa(text), width: bitmap.width, height: bitmap.height };
}`;

/**
 * Converts a picture file in the surrogate: only its decoders, inside its sandbox, process the file. The result is as
 * untrusted as the process of the page.
 *
 * @throws AppError `resource-type` when the surrogate cannot show the file, and that of the surrogate.
 */
export async function madePicture(
  cdp: ResourceCdp,
  frame: number,
  bytes: Uint8Array,
  { format, quality, maxSide }: Making,
): Promise<Made> {
  const call = { deadlineMs: DEADLINE_MS };
  const frameId = cdp.frameId(frame) ?? '';
  const world = await cdp.send(frame, 'Page.createIsolatedWorld', { frameId, worldName: WORLD }, call);
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const values = [base64, `image/${format}`, quality / 100, maxSide];
  const { result, exceptionDetails } = await cdp.send(
    frame,
    'Runtime.callFunctionOn',
    {
      executionContextId: world.executionContextId,
      functionDeclaration: MAKE,
      arguments: values.map((value) => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    },
    call,
  );
  const made = result.value as { base64?: unknown; width?: unknown; height?: unknown } | null | undefined; // untrusted data of the process
  if (exceptionDetails || typeof made?.base64 !== 'string' || !isSide(made.width) || !isSide(made.height))
    throw new AppError('resource-type', 'The surrogate cannot show the picture.');
  return { bytes: Buffer.from(made.base64, 'base64'), natural: { width: made.width, height: made.height } };
}

function isSide(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0; // a number, when it is an integer
}
