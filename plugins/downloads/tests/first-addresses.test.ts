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

it('one that comes after its download has given up is the next one’s, and until then it is waited for', async () => {
  const firsts = new FirstAddresses();
  const late = firsts.of(URL);
  vi.advanceTimersByTime(10_000);
  expect(await late).toBeUndefined();
  firsts.tell(told('https://late.test/'));
  vi.advanceTimersByTime(29_999);
  expect(await firsts.of(URL)).toBe('https://late.test/');
  const waiting = firsts.of('http://files.test/a');
  vi.advanceTimersByTime(9999);
  firsts.tell(told('https://first.test/', 'http://files.test/a'));
  expect(await waiting).toBe('https://first.test/');
  expect(vi.getTimerCount()).toBe(0);
});

it('an address is known by its first 4,096 units, and old reports take no room of new ones', async () => {
  const firsts = new FirstAddresses();
  const long = 'https://files.test/'.padEnd(5000, 'a');
  firsts.tell(told('https://one.test/', long.slice(0, 4096)));
  expect(await firsts.of(long)).toBe('https://one.test/');
  firsts.tell(told('https://old.test/'));
  vi.advanceTimersByTime(30_000);
  for (let at = 0; at < 100; at += 1) firsts.tell(told(`https://${at}.test/`));
  expect(await firsts.of(URL)).toBe('https://0.test/');
});
