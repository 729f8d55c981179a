import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { AppError, readOnce } from '../../../host/plugin.ts';
import type { ActivateService, ServiceRequest } from '../../../host/plugin.ts';
import { judgementOf } from './judgements.ts';
import { KnownScanners } from './known-scanners.ts';
import { append, begin, complete, judge, leave, read, remove, sizeOf } from './methods.ts';
import { serveQuarantine } from './quarantine.ts';
import type { StoredFile } from './store/contract.ts';
import { FileStore } from './store/file-store.ts';
import { KEY_BYTES, openMasterKey } from './store/master-key.ts';
import { Turns } from './turns.ts';

/** Interval at which files that are past their time are removed, in ms. */
const EXPIRE_EVERY_MS = 30_000;
/** Judgements that run at a time: each has one archive open, in up to some 150 MiB of memory. Further ones wait. */
const MAX_JUDGEMENTS = 4;
/** Those of one person: a page can make files that take minutes. */
const MAX_OF_EACH = 1;
/** Part of the disk's free room that all files together may have. */
const DISK_SHARE = 0.5;
/** Time for which a file that is being served is kept at least, in ms: saving a large one takes a while. */
const SERVED_MS = 60 * 60_000;
/** Time for which one that is judged, or waits for that, is kept at least, in ms. */
const JUDGED_MS = 60 * 60_000;

type OfFile = Pick<ServiceRequest<{ readonly key: string }>, 'params' | 'person' | 'session'>;

/** Keeps the files of all people of the host, and judges them, in a process of its own. */
export const activateService: ActivateService = async (scope) => {
  const { handle, onSessionOver, storage, options, records, log, signal, onDispose } = scope;
  if (storage === undefined) throw new AppError('bad-plugin', 'The file store has no folder.');
  // As the manifest declares it.
  const scanners = new KnownScanners(options['scanner'] as readonly string[], log, signal);
  const { bavail, bsize } = await statfs(storage);
  const maxBytes = bavail * bsize * DISK_SHARE;
  const key = await openMasterKey(storage).catch((thrown: unknown) => {
    log.error('the key of the quarantine was not written: files in it are lost at the next start', {
      error: String(thrown),
    });
    return randomBytes(KEY_BYTES); // a full disk: files of people go on
  });
  const store = await FileStore.open({ folder: storage, key, maxBytes, log });
  serveQuarantine(scope, { store, storage, maxBytes });
  const turns = new Turns(MAX_JUDGEMENTS, MAX_OF_EACH);
  const expire = (): void => {
    store.expire().catch((thrown: unknown) => log.error('files could not be removed', { error: String(thrown) }));
  };
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  onDispose(() => {
    clearInterval(timer);
    void store.close().catch(() => undefined); // the next process removes what is left
  });
  const fileOf = ({ params: { key }, person, session }: OfFile): StoredFile => store.get(key, { person, session });

  handle(begin, async ({ params: { name, direction, keepMs }, person, session, signal: over }) => {
    const file = await store.create({ person, session, direction, name }, { keepMs });
    if (over.aborted) await file.remove(); // its session may be over as well
    return { value: { key: file.key } };
  });
  handle(append, async (request) => {
    const { offset, maxBytes } = request.params;
    const file = fileOf(request);
    const { body, signal: over } = request;
    await file.append(body ?? nothing(), { offset, maxBytes, signal: over, onTaken: (part) => body?.spent?.(part) });
    return { value: { size: file.size } };
  });
  handle(sizeOf, (request) => ({ value: { size: fileOf(request).size } }));
  handle(complete, async (request) => {
    const file = fileOf(request);
    await file.complete();
    const { size, sha256 } = file;
    if (sha256 === undefined) throw new AppError('file-incomplete', 'The file is not complete.');
    records.count('stored');
    records.count('bytes', size);
    return { value: { size, sha256 } };
  });
  handle(judge, (request) => {
    const { scan, open, password } = request.params;
    const file = fileOf(request);
    if (file.state !== 'complete') throw new AppError('file-incomplete', 'The file is not complete.');
    const judging = async function* (): AsyncGenerator<Uint8Array> {
      using _turn = await turns.next(request.signal, request.person);
      const known = scan ? await scanners.known() : [];
      yield* judgementOf(file, { scanners: known, open, password, signal: request.signal });
      records.count('judged');
    };
    return { value: {}, body: keptMeanwhile(file, judging()) };
  });
  handle(read, (request) => {
    const { first, end } = request.params;
    const file = fileOf(request);
    file.keepUntil(Math.max(file.expiresAt, Date.now() + SERVED_MS));
    const body = readOnceEach(file.stream(first, end, request.signal));
    records.count('served');
    return { value: {}, body };
  });
  handle(remove, async (request) => {
    await fileOf(request).retire();
    return { value: {} };
  });
  handle(leave, async ({ person, session }) => {
    await store.endSession({ person, session });
    return { value: {} };
  });
  onSessionOver((owner) => {
    store.endSession(owner).catch((thrown: unknown) => log.error('files were not removed', { error: String(thrown) }));
  });
};

/** Keeps a file while it is judged, and then for its time: the person has as long to enter a password, or to save it. */
async function* keptMeanwhile(file: StoredFile, lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  file.keepUntil(Math.max(file.expiresAt, Date.now() + JUDGED_MS));
  try {
    yield* lines;
  } finally {
    file.keepAnew();
  }
}

/** Chunks of a stream, which are whoever takes them. */
async function* readOnceEach(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield readOnce(chunk);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}
