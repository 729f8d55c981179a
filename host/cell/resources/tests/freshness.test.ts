import { expect, it } from 'vitest';
import { freshSeconds, NEVER_KEPT } from '../freshness.ts';
import type { SeenResponse } from '../freshness.ts';

const NOW = Date.parse('Wed, 01 May 2024 12:00:00 GMT');
const date = 'Wed, 01 May 2024 12:00:00 GMT';
const fresh = (headers: Record<string, string>, rest: Partial<SeenResponse> = {}): number =>
  freshSeconds({ status: 200, responseTime: NOW, headers, ...rest }, NOW);

it.each([
  ['nothing', {}, 0],
  ['a time', { 'Cache-Control': 'public, MAX-AGE=60' }, 60],
  ['no time', { 'cache-control': 'max-age=0' }, 0],
  ['a time that has begun elsewhere', { 'cache-control': 'max-age=60', age: '20' }, 40],
  ['a time that is over', { 'cache-control': 'max-age=60', age: '90' }, 0],
  ['a time and a date of the past', { 'cache-control': 'max-age=60', date: 'Wed, 01 May 2024 11:59:30 GMT' }, 30],
  ['a time and another', { 'cache-control': 'max-age=60', expires: 'Wed, 01 May 2024 13:00:00 GMT' }, 60],
  ['a date', { date, expires: 'Wed, 01 May 2024 12:02:00 GMT' }, 120],
  ['a date that is none', { date, expires: '0', 'last-modified': 'Mon, 01 Apr 2024 12:00:00 GMT' }, 0],
  ['when it was changed', { date, 'last-modified': 'Wed, 01 May 2024 11:50:00 GMT' }, 60],
  [
    'when it was changed, and a duty to ask',
    { date, 'cache-control': 'must-revalidate', 'last-modified': 'Wed, 01 May 2024 11:50:00 GMT' },
    0,
  ],
  ['that it is to be asked for', { 'cache-control': 'max-age=60, no-cache' }, 0],
  ['the same in the old way', { pragma: 'no-cache', expires: 'Wed, 01 May 2024 12:02:00 GMT' }, 0],
  ['that it is not to be kept', { 'cache-control': 'no-store, max-age=60' }, NEVER_KEPT],
  ['that it depends on everything', { 'cache-control': 'max-age=60', vary: '*' }, 0],
  ['that it depends on the person', { 'cache-control': 'max-age=60', vary: 'accept, Cookie' }, 0],
  ['that it depends on the browser', { 'cache-control': 'max-age=60', vary: 'accept-encoding' }, 60],
])('freshness of a response with %s', (_, headers, seconds) => {
  expect(fresh(headers as unknown as Record<string, string>)).toBe(seconds);
});

it('freshness of a response that the surrogate has cached for some time', () => {
  expect(fresh({ 'cache-control': 'max-age=60' }, { responseTime: NOW - 20_000 })).toBe(40);
  expect(fresh({ 'cache-control': 'max-age=60' }, { responseTime: NOW - 90_000 })).toBe(0);
});

it('freshness of redirects and failures without headers, and of responses of a service worker', () => {
  expect(fresh({}, { status: 301 })).toBe(Infinity);
  expect(fresh({}, { status: 302 })).toBe(0);
  expect(fresh({ 'cache-control': 'max-age=60' }, { status: 302 })).toBe(60);
  expect(fresh({ 'cache-control': 'max-age=60' }, { fromServiceWorker: true })).toBe(0);
});
