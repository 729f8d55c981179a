import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

/** More calls than are ever made: see {@link startThread}. */
const NEVER = '--wasm-wrapper-tiering-budget=2000000000';

/**
 * Starts a thread.
 *
 * V8 replaces the wrappers through which WebAssembly calls JavaScript after 1000 calls, and shares the replacements among all threads of a
 * process. One that another thread is about to use may be freed meanwhile, which ends the process (`WasmImportWrapperCache` in Node 24.21).
 * Threads run WebAssembly: Node's own removal of types, plugins. So V8 keeps the first wrappers.
 */
export function startThread(entry: string | URL, options: WorkerOptions): Worker {
  setFlagsFromString(NEVER);
  return new Worker(entry, options);
}
