/**
 * Entry of a cell's process, and of the threads of third parties' host halves in it: one file for both when it is
 * built.
 */
import { isMainThread } from 'node:worker_threads';
import { runThread } from '../plugins/threads/run-thread.ts';
import { runCell } from './run.ts';

if (isMainThread) runCell();
else await runThread();
