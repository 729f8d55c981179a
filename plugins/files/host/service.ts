import { AppError } from '../../../host/plugin.ts';
import type { ActivateService } from '../../../host/plugin.ts';
import { append, begin, complete, leave, read, remove } from './methods.ts';
import { FileStore } from './store.ts';

/** Interval at which files that are past their time are removed, in ms. */
const EXPIRE_EVERY_MS = 30_000;

/** Keeps the files of all people of the host, in a process of its own. */
export const activateService: ActivateService = async ({ handle, storage, records, log, onDispose }) => {
  if (storage === undefined) throw new AppError('bad-plugin', 'The file store has no folder.');
  const store = await FileStore.open(storage);
  const expire = (): void => {
    store.expire().catch((thrown: unknown) => log.error('files could not be removed', { error: String(thrown) }));
  };
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  onDispose(() => {
    clearInterval(timer);
    void store.close().catch(() => undefined); // the next process removes what is left
  });

  handle(begin, async ({ params: { session, keepMs }, person }) => ({
    value: { key: await store.begin({ person, session }, keepMs) },
  }));
  handle(append, async ({ params: { session, key, offset, maxBytes }, person, body }) => ({
    value: { size: await store.append(key, { person, session }, body ?? nothing(), { offset, maxBytes }) },
  }));
  handle(complete, ({ params: { session, key }, person }) => {
    const stored = store.complete(key, { person, session });
    records.count('stored');
    records.count('bytes', stored.size);
    return { value: stored };
  });
  handle(read, ({ params: { session, key, first, end }, person }) => {
    const body = store.read(key, { person, session }, { first, end });
    records.count('served');
    return { value: {}, body };
  });
  handle(remove, async ({ params: { session, key }, person }) => {
    await store.remove(key, { person, session });
    return { value: {} };
  });
  handle(leave, async ({ params: { session }, person }) => {
    await store.leave({ person, session });
    return { value: {} };
  });
};

async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}
