import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { styled } from '../styled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('[S-158] content waits for a sheet that hangs until it has been looked for 20 times, and no longer', async () => {
  const links: { sheet: null; href?: string }[] = [];
  const document = {
    querySelectorAll: () => [],
    createElement: () => ({ sheet: null }),
    head: { append: (link: { sheet: null }) => void links.push(link) },
  } as unknown as Document; // all that is used of it
  let isDone = false;
  void styled(document, '/look.css').then(() => (isDone = true));
  expect(links).toMatchObject([{ rel: 'stylesheet', href: '/look.css' }]);
  await vi.advanceTimersByTimeAsync(500 + 19 * 250 - 1);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isDone).toBe(true);
});
