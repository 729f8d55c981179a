import { expect, it } from 'vitest';
import {
  baseAddress,
  externalReference,
  linkAddress,
  localFragment,
  NO_RESOURCE,
  pageAddress,
  resourceAddress,
} from '../addresses.ts';
import { testContext } from './context.ts';

const KIB = 1024;
const context = testContext();
const PAGE = context.page;

it.each([
  [' other.svg#part ', { address: 'https://site.test/dir/other.svg', fragment: '#part' }],
  ['https://site.test/a.svg?x#y', { address: 'https://site.test/a.svg?x', fragment: '#y' }],
  ['#part', undefined],
  [`${PAGE}#part`, undefined],
  ['other.svg', undefined],
  ['other.svg#', undefined],
  ['other.svg#a(b', undefined],
  ['other.svg#a"b', { address: 'https://site.test/dir/other.svg', fragment: '#a%22b' }],
  ['data:image/svg+xml,<svg/>#part', undefined],
  ['javascript:alert(1)#part', undefined],
  ['https://#part', undefined],
])('takes %j for the reference %j into another document', (raw, reference) => {
  expect(externalReference(raw, context)).toEqual(reference);
});

it.each([
  [' #part ', '#part'],
  [` ${PAGE}#part `, '#part'],
  ['page.html#part', '#part'],
  ['page.html', undefined],
  ['page.html#', undefined],
  ['other.html#part', undefined],
  ['javascript:#part', undefined],
])('takes %j for the fragment %j of the page', (raw, fragment) => {
  expect(localFragment(raw, context)).toBe(fragment);
});

it.each([
  ['p.svg#a', '#a'],
  ['p.svg#a(b)', ''],
  ['p.svg', ''],
])('keeps of %j the fragment %j behind the token', (raw, fragment) => {
  const address = resourceAddress('i', raw, context);
  expect(address.slice(address.length - fragment.length)).toBe(fragment);
  expect(address.includes('#')).toBe(fragment !== '');
  expect(context.seen.get(address.split('#')[0] ?? '')).toBe('https://site.test/dir/p.svg');
});

it('accepts addresses of 64 KiB, bases of 8 KiB and inline pictures of 1 MiB, and no longer ones', () => {
  const long = (units: number): string => 'https://site.test/'.padEnd(units, 'a');
  expect(resourceAddress('i', long(64 * KIB), context)).toMatch(/^\/c\/i\//);
  expect(resourceAddress('i', long(64 * KIB + 1), context)).toBe(NO_RESOURCE);
  expect(resourceAddress('i', `${'b/'.repeat(32 * KIB - 8)}c`, context)).toBe(NO_RESOURCE); // too long once resolved
  expect(linkAddress(long(64 * KIB), context)).toBe(`/${long(64 * KIB)}`);
  expect(linkAddress(long(64 * KIB + 1), context)).toBe('about:blank#blocked');
  expect(linkAddress('b/'.repeat(32 * KIB - 8), context)).toBe('about:blank#blocked');
  expect(baseAddress(long(8 * KIB))).toBe(long(8 * KIB));
  expect(baseAddress(long(8 * KIB + 1))).toBe('about:blank');
  expect(baseAddress(`https://site.test/dir/?${'q'.repeat(9 * KIB)}#f`)).toBe('https://site.test/dir/');
  expect(baseAddress(`https://site.test/dir/?${'q'.repeat(64 * KIB)}`)).toBe('about:blank');
  const picture = (units: number): string => 'data:image/png;base64,'.padEnd(units, 'a');
  expect(resourceAddress('i', picture(KIB * KIB), context)).toBe(picture(KIB * KIB));
  expect(resourceAddress('i', picture(KIB * KIB + 1), context)).toMatch(/^\/c\/i\//); // fetched like others
  expect(resourceAddress('i', picture(8 * KIB * KIB + 1), context)).toBe(NO_RESOURCE);
});

it('has no page address for documents of data, and leaves out the fragment of others', () => {
  expect(pageAddress('data:text/html,x#y')).toBe('about:blank');
  expect(pageAddress('https://site.test/a#y')).toBe('https://site.test/a');
});
