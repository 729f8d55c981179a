import { expect, it } from 'vitest';
import { onAbort } from '../on-abort.ts';

it('calls its listener once: on abort, or at once where that was before; and never after it is undone', () => {
  const heard: string[] = [];
  const abort = new AbortController();
  onAbort(abort.signal, () => heard.push('before'));
  const undo = onAbort(abort.signal, () => heard.push('undone'));
  undo();
  expect(heard).toEqual([]);
  abort.abort();
  expect(heard).toEqual(['before']);
  onAbort(abort.signal, () => heard.push('after'))();
  expect(heard).toEqual(['before', 'after']);
});
