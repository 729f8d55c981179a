/** A thread that reads one policy file and answers with what it holds, or with why it will not do. */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '../../core/protocol/errors.ts';
import { readPolicy } from './policy-reader.ts';
import type { ReadAnswer } from './policy-reader.ts';

const answer = (read: ReadAnswer): void => parentPort?.postMessage(read);

try {
  const { file, content } = await readPolicy(workerData as string); // whoever starts it names the file
  answer({ policy: { file, content } });
} catch (thrown) {
  const { code, message } = toAppError(thrown);
  answer({ fault: { code, message } });
}
