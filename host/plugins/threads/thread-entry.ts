import { runThread } from './run-thread.ts';

await runThread();
