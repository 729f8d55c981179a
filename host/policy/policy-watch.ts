import { watch } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import { logIdle } from './idle-switches.ts';
import type { KnownCapabilities } from './idle-switches.ts';
import { readPolicyAside } from './policy-reader.ts';
import type { Policy } from './policy.ts';

/** Delay before the file is read, in ms: one that is being written changes several times. */
const SETTLE_MS = 100;

/** A watched policy file. The caller closes it. */
export interface PolicyWatch {
  /** Reads the file now. Never rejects. */
  reload(): Promise<void>;
  close(): void;
}

/**
 * Reads a policy file again, in a thread of its own, whenever it changes; replaced files and changed links are noticed.
 * If the file is invalid, its faults are logged and the last valid policy stays in force.
 */
export function watchPolicy(
  file: string,
  first: Policy,
  options: KnownCapabilities & { readonly log: Log; readonly onPolicy: (policy: Policy) => void },
): PolicyWatch {
  const { log, onPolicy } = options;
  let inForce = JSON.stringify(first.content);
  let refused = '';
  let timer: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();
  let next: Promise<void> | undefined;
  let isClosed = false;
  const read = async (): Promise<void> => {
    try {
      const { policy, warnings } = await readPolicyAside(file, options);
      if (isClosed) return;
      refused = '';
      const content = JSON.stringify(policy.content);
      if (content === inForce) return;
      onPolicy(policy);
      inForce = content; // one that could not be taken is tried again
      log.info('the policy was reloaded', { file });
      logIdle(log, file, warnings);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (message === refused) return;
      refused = message;
      log.error('the policy file is invalid: the last valid policy stays in force', {
        file,
        code,
        faults: message.split('\n'),
      });
    }
  };
  const reload = (): Promise<void> => {
    // A queued reload will see this change, too.
    next ??= reading = reading.then(() => {
      next = undefined;
      return read();
    });
    return next;
  };
  // Watches the folder, since editors and orchestrators replace the file, or the link to it.
  const watcher = watch(path.dirname(file), () => {
    clearTimeout(timer);
    timer = setTimeout(() => void reload(), SETTLE_MS);
    timer.unref();
  });
  watcher.on('error', (error) => log.error('the policy file is no longer watched', { file, error: error.message }));
  watcher.unref();
  return {
    reload,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}
