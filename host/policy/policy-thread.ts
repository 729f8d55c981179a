/** Worker thread that reads one policy file and answers with its content or its faults. */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '../../core/protocol/errors.ts';
import { idleSwitches } from './idle-switches.ts';
import { readPolicy } from './policy-reader.ts';
import type { ReadAnswer, ReadTask } from './policy-reader.ts';
import { settingsTable } from './settings-table.ts';

const answer = (read: ReadAnswer): void => parentPort?.postMessage(read);

try {
  const task = workerData as ReadTask; // from the thread that started it
  const { declared, gaps, capabilities } = task;
  const settings = settingsTable(declared, gaps);
  const policy = await readPolicy(task.file, settings);
  const { file, content } = policy;
  answer({ policy: { file, content }, warnings: idleSwitches(policy, { settings, capabilities }) });
} catch (thrown) {
  const { code, message } = toAppError(thrown);
  answer({ fault: { code, message } });
}
