import { afterAll, vi } from 'vitest';

/** Test files share a process: the next one gets its real timers and globals, whatever has failed in this one. */
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
