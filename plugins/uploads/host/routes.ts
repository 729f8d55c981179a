import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import * as v from 'valibot';
import { AppError, chunksOf, toAppError, validate } from '../../../host/plugin.ts';
import type { RouteErrors, Routes } from '../../../host/plugin.ts';
import { runningUploadsToken } from './session.ts';

const MAX_HEADERS = 10;
const MAX_HEADER_BYTES = 8192;
const FIELD = 'file';

const short = v.pipe(v.string(), v.maxLength(200));
const whole = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
/** `cid`, `mpa_id`, `tab_id`, `page_url` and `cl` are there as well: the name of the upload says which it is. */
const uploadQuery = v.looseObject({ upload_id: short, file_id: whole, offset: v.exactOptional(whole, '0') });

/** HTTP statuses of the errors of this route. */
export const errors: RouteErrors = {
  'upload-over': 410,
  'part-out-of-order': 409,
  'part-replaced': 409,
  'file-busy': 409,
  'file-too-large': 413,
  'disk-full': 507,
};

/** POST /r/upload: a file of an upload, or a part of it, as the field `file` of a multipart form (S-120, RFC 7578). */
export const routes: Routes = {
  'POST /r/upload': async ({ query, contentType, body, signal }, { services }) => {
    const { upload_id: id, file_id: file, offset } = validate(uploadQuery, query, 'upload');
    const upload = services.get(runningUploadsToken).get(id);
    if (!upload) throw new AppError('upload-over', 'There is no such upload, or not any more.');
    await withFile(contentType, body, (bytes) => upload.receive(file, offset, bytes, signal));
    return { type: 'text/plain; charset=utf-8', body: Buffer.from('OK') };
  },
};

/**
 * Reads a multipart form as it comes, and hands its file over.
 *
 * @throws AppError `bad-message` for a form without it, or with more than that, and as `take` and the body
 */
async function withFile(
  contentType: string | undefined,
  body: AsyncIterable<Uint8Array>,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new AppError('bad-message', 'The body is no multipart form.');
  const over = new AbortController();
  let taken: Promise<void> | undefined;
  let parser: Busboy;
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType ?? '' },
      limits: { files: 1, fields: 0, parts: 1, headerPairs: MAX_HEADERS, headerSize: MAX_HEADER_BYTES },
    });
  } catch (cause) {
    throw new AppError('bad-message', 'The form has no valid boundary.', { cause });
  }
  let opened: Readable | undefined;
  parser.on('file', (field, stream) => {
    stream.on('error', () => undefined); // of a form that is cut: whoever reads it gets the error
    opened = stream;
    if (field !== FIELD || taken) {
      stream.resume();
      return;
    }
    taken = take(chunksOf(stream));
    taken.catch((thrown: unknown) => over.abort(thrown)); // nobody reads the rest
  });
  try {
    await pipeline(Readable.from(body, { objectMode: false }), parser, { signal: over.signal });
  } catch (thrown) {
    opened?.destroy(toAppError(thrown)); // its reader would wait for ever
    await taken?.catch(() => undefined); // of the same cause
    // Of the receiver, where it has ended first: a form that is cut fails there.
    const fault = toAppError(over.signal.aborted ? over.signal.reason : thrown);
    throw fault.code === 'internal' ? new AppError('bad-message', 'The form is not valid.', { cause: thrown }) : fault;
  }
  if (!taken) throw new AppError('bad-message', `The form has no field "${FIELD}".`);
  await taken;
}
