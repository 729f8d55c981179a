import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../core/contracts/scope.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';

/**
 * Requests of the command line to the store of a running host: empty files in its folder, whose names say everything. Its process, which has
 * another user, could not read them; and who may write there may do anything to its files.
 */
const REQUEST = /^([\da-f]{32})\.(release|delete)$/;
type RequestKind = 'release' | 'delete';

/** Interval at which the folder is looked at, in ms; and of a look that finds nothing new, whatever the time of the folder says. */
const LOOK_EVERY_MS = 500;
const RECENT_MS = 2000;
/** Time for a host to answer, in ms; one that does not is taken for none. */
const ANSWER_MS = 10_000;
const ASK_EVERY_MS = 100;

/**
 * Has the requests in a folder dealt with until the signal is aborted. Each is removed once it has been, however that has ended: whoever has
 * asked looks at the entry.
 */
export function followRequests(
  folder: string,
  deal: (id: string, kind: RequestKind) => Promise<void>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): void {
  let seen = -1;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const { mtimeMs } = await stat(folder);
    if (mtimeMs === seen && Date.now() - mtimeMs > RECENT_MS) return; // a change within a tick of the clock is not missed
    seen = mtimeMs;
    for (const name of await readdir(folder)) {
      const [, id, kind] = REQUEST.exec(name) ?? [];
      if (id === undefined) continue;
      await deal(id, kind as RequestKind).catch((thrown: unknown) =>
        // one of the two
        log.error('a request about a quarantined file has failed', { id, kind, error: String(thrown) }),
      );
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((thrown: unknown) =>
        log.error('requests about quarantined files were not read', { error: String(thrown) }),
      )
      .finally(() => (isLooking = false));
  }, LOOK_EVERY_MS);
  onAbort(signal, () => clearInterval(timer));
}

/** Asks the host that runs on a folder. @returns whether one has dealt with it. @throws errors of the disk */
export async function request(folder: string, id: string, kind: RequestKind, answerMs = ANSWER_MS): Promise<boolean> {
  const file = path.join(folder, `${id}.${kind}`);
  await writeFile(file, '', { mode: 0o600 });
  const isGone = (): Promise<boolean> =>
    stat(file).then(
      () => false,
      () => true,
    );
  for (const until = performance.now() + answerMs; performance.now() < until; await delay(ASK_EVERY_MS))
    if (await isGone()) return true;
  await rm(file, { force: true }); // no later host finds it
  return false;
}
