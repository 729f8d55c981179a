import { AppError } from '../../../host/plugin.ts';
import type { ServiceScope } from '../../../host/plugin.ts';
import { quarantine } from './methods.ts';
import { followRequests } from './quarantine-requests.ts';
import type { FileStore } from './store/file-store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Part of the store that quarantined files may have: the rest is for people, whatever pages make them download. */
const SHARE = 0.5;
/** Quarantined files of one person, and of all people. */
const MAX_OF_PERSON = 100;
const MAX_FILES = 10_000;

interface QuarantineOptions {
  readonly store: FileStore;
  readonly storage: string;
  /** Bytes on disk of all files of the store. */
  readonly maxBytes: number;
}

/** Puts files into quarantine, and has administrators release and delete them. */
export function serveQuarantine(
  { handle, records, log, signal }: Pick<ServiceScope, 'handle' | 'records' | 'log' | 'signal'>,
  { store, storage, maxBytes }: QuarantineOptions,
): void {
  const mustHaveRoom = (person: string, size: number): void => {
    const kept = store.list().filter(({ quarantinedUntil }) => quarantinedUntil !== undefined);
    const bytes = kept.reduce((sum, file) => sum + file.size, size);
    const own = kept.filter(({ facts }) => facts.person === person).length;
    if (kept.length >= MAX_FILES || own >= MAX_OF_PERSON || bytes > maxBytes * SHARE)
      throw new AppError('quarantine-full', 'There is no room in the quarantine.', { data: { files: kept.length } });
  };
  handle(quarantine, async ({ params: { key, days, facts }, person, session }) => {
    const file = store.get(key, { person, session });
    try {
      mustHaveRoom(person, file.size);
      file.update(facts);
      await file.quarantine(Date.now() + days * DAY_MS);
    } catch (thrown) {
      log.error('a file could not be put into quarantine and is deleted', { id: file.id, error: String(thrown) });
      await file.remove();
      throw thrown;
    }
    records.count('quarantined');
    log.info('a file was put into quarantine', { id: file.id, reason: facts.reason });
    return { value: {} };
  });
  followRequests(
    storage,
    async (id, kind) => {
      const file = store.list().find((each) => each.id === id && each.quarantinedUntil !== undefined);
      if (!file) return; // files of people that are in none are no business of administrators
      await (kind === 'release' ? file.release() : file.remove());
      log.info(`a quarantined file was ${kind}d`, { id });
    },
    { log, signal },
  );
}
