import { expect, it } from 'vitest';
import { processorMs } from '../../../../../core/testing/growth.ts';
import { OP } from '../../../ops.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';
import { SheetTexts } from '../../sheet-texts.ts';
import type { SafeBatch } from '../batch-sanitizer.ts';
import { built, fresh, Page } from './page-writer.ts';

const LONG = 1_900_000;
const LINKS = 300;
/** Maximum ratio to the time with a short address: it was in the thousands. */
const MOST = 20;

function shortest(run: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => processorMs(run, undefined)));
}

function links(page: Page): Page {
  for (let at = 0; at < LINKS; at++) page.insert(['a', { href: `a${at}#b`, ping: 'x' }]);
  for (let at = 0; at < LINKS; at++) page.insert(['svg:use', { href: `https://site.test/p${at}#x` }]);
  return page;
}

const PAGES: readonly [string, (address: string) => Page][] = [
  ['of a document', (address) => links(new Page().doc(address))],
  [
    'that has changed',
    (address) => {
      const page = new Page().doc();
      page.ops.push([OP.base, page.str(address)]);
      return links(page);
    },
  ],
  [
    'of a sheet',
    (address) => {
      const page = new Page().doc();
      const style = page.insert(['link', {}]);
      page.ops.push([OP.sheet, style, 2, page.str(address), -1, 0]);
      const text = Array.from({ length: LINKS }, (_, at) => `a{b:url(i${at})}`).join('');
      page.ops.push([OP.append, style, page.str(text)]);
      return page;
    },
  ],
];

it.each(PAGES)('a long base address %s costs addresses little', (_, write) => {
  const time = (address: string): number => {
    const batch = write(address).batch();
    return shortest(() => new FrameSanitizer(() => 'token').sanitize(batch));
  };
  const usual = time('https://site.test/dir/page.html');
  for (const long of [
    `https://site.test/${'a'.repeat(LONG)}`,
    `data:text/css,${'a'.repeat(LONG)}`,
    `https://${'@'.repeat(LONG)}`,
  ])
    expect(time(long)).toBeLessThan(50 + MOST * usual);
});

it('addresses in a sheet that is itself a long data address cost little', async () => {
  const texts = new SheetTexts({
    load: () => Promise.resolve(undefined),
    resource: () => 'token',
    keepsInline: () => true,
    kin: () => '',
  });
  const text = Array.from({ length: LINKS }, (_, at) => `a{b:url(i${at})}`).join('');
  const time = async (address: string): Promise<number> => {
    const begun = process.threadCpuUsage();
    await texts.sanitized(text, address, { frame: 1, kin: '', isCurrent: () => true, still: false });
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
  const usual = Math.min(await time('https://site.test/1'), await time('https://site.test/2'));
  expect(await time(`data:text/css,${'a'.repeat(LONG)}`)).toBeLessThan(50 + MOST * usual);
});

it('the query of a long base address is dropped, and links keep their targets', () => {
  const base = `https://site.test/dir/page?${'q'.repeat(10_000)}`;
  const page = new Page().doc(base);
  page.insert(['a', { href: 'x' }]);
  page.insert(['svg:use', { href: `${base}#icon` }]);
  const safe: SafeBatch = fresh().sanitize(page.batch());
  const [link, use] = safe.ops.filter(([code]) => code === OP.insert).flatMap((op) => built(safe, op));
  expect(link?.[1]).toMatchObject({ href: '/https://site.test/dir/x' });
  expect(use?.[1]).toMatchObject({ href: '#icon' });
});

it('an address that is too long is not parsed', () => {
  const hosts = `https://${'@'.repeat(LONG)}`;
  const page = new Page().doc();
  for (const name of ['a', 'img']) page.insert([name, { href: hosts, src: hosts }]);
  expect(shortest(() => fresh().sanitize(page.batch()))).toBeLessThan(1000);
});
