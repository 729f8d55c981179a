import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FirstAddresses } from '../host/first-addresses.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const URL = 'https://files.test/a';
const told = (first: string, url = URL) => ({ url, first });

it('tells each download its own first address, whichever of the two is heard of first', async () => {
  const firsts = new FirstAddresses();
  firsts.tell(told('https://one.test/'));
  firsts.tell(told('https://two.test/'));
  expect(await firsts.of(URL)).toEqual('https://one.test/');
  expect(await firsts.of(URL)).toEqual('https://two.test/');
  const waiting = [firsts.of(URL), firsts.of('https://other.test/'), firsts.of(URL)];
  firsts.tell(told('https://three.test/'));
  firsts.tell(told('https://four.test/'));
  firsts.tell(told('https://five.test/', 'https://other.test/'));
  expect(await Promise.all(waiting)).toEqual(['https://three.test/', 'https://five.test/', 'https://four.test/']);
});

it('does not wait for what has no redirects, nor for ever', async () => {
  const firsts = new FirstAddresses();
  expect(await firsts.of('blob:https://site.test/1')).toBe('blob:https://site.test/1');
  const late = firsts.of(URL);
  vi.advanceTimersByTime(10_000);
  expect(await late).toBeUndefined();
});

it('keeps a bounded number for a bounded time, and nothing that is not in shape', async () => {
  const firsts = new FirstAddresses();
  for (const odd of [undefined, {}, { url: URL, first: 1 }, told('x'.repeat(5000))]) firsts.tell(odd);
  for (let at = 0; at <= 100; at += 1) firsts.tell(told(`https://${at}.test/`));
  expect(await firsts.of(URL)).toEqual('https://1.test/');
  vi.advanceTimersByTime(30_000);
  const late = firsts.of(URL);
  firsts.tell(told('https://new.test/'));
  expect(await late).toEqual('https://new.test/');
});
