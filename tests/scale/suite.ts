import { Tally } from '../tally.ts';
import { longest } from './freezes.ts';
import type { Likeness } from './likeness.ts';
import { LARGE_PAGES } from './pages.ts';
import { setStage } from './stage.ts';
import type { Mirrored, Opened } from './stage.ts';

const MIB = 1024 * 1024;
/**
 * Maximum increase of memory for one page: of the host, of the person's tab beyond the page opened directly, of
 * surrogates.
 */
const MAX_HOST_BYTES = 32 * MIB;
const MAX_TAB_BYTES = 32 * MIB;
const MAX_SURROGATE_BYTES = 1024 * MIB;
/** Bytes over the network, relative to those that the page itself loads, and for each change of it. */
const MAX_BYTES_SHARE = 3;
const MAX_BYTES_OF_A_CHANGE = 150;
const MAX_BYTES_OF_THE_REST = 128 * 1024;

const tally = new Tally();
await using stage = await setStage();
for (const page of LARGE_PAGES) {
  const size = process.env.VITRINE_LONG ? page.sizes.full : page.sizes.short;
  if (size === undefined) continue;
  let opened: { direct: Opened; mirrored: Mirrored } | undefined;
  await tally.check(`${page.name} (${size}): the view equals the page`, async () => {
    opened = await stage.open(page, size);
    return difference(opened.direct.likeness, opened.mirrored.likeness);
  });
  if (!opened) continue;
  const { direct, mirrored } = opened;
  console.log(`        ${said(direct, mirrored)}`);
  const changes = page.changes?.(size) ?? 0;
  await tally.check(`${page.name}: bytes and memory stay within bounds`, () => {
    const bytes = MAX_BYTES_SHARE * direct.bytes + MAX_BYTES_OF_A_CHANGE * changes + MAX_BYTES_OF_THE_REST;
    if (mirrored.bytes > bytes) return `${mirrored.bytes} bytes came, ${bytes} may`;
    if (mirrored.hostHeap > MAX_HOST_BYTES) return `the host holds ${mirrored.hostHeap} bytes of it`;
    if (mirrored.heap - direct.heap > MAX_TAB_BYTES)
      return `the tab holds ${mirrored.heap} bytes, ${direct.heap} directly`;
    if (mirrored.surrogate > MAX_SURROGATE_BYTES) return `the surrogate takes ${mirrored.surrogate} bytes for it`;
    return undefined;
  });
}
tally.finish();

function difference(expected: Likeness, view: Likeness): string | undefined {
  const different = (Object.keys(expected) as (keyof Likeness)[]).filter((key) => expected[key] !== view[key]);
  return different.length === 0
    ? undefined
    : different.map((key) => `${key}: ${view[key]} instead of ${expected[key]}`).join(', ');
}

/** For information: times are not asserted, since they depend on the machine. */
function said(direct: Opened, mirrored: Mirrored): string {
  const ms = (value: number): string => Math.round(value).toString();
  return `whole after ${ms(mirrored.ms)} ms (directly ${ms(direct.ms)}), longest task ${ms(longest(mirrored.freezes.tasks))} ms (directly ${ms(longest(direct.freezes.tasks))}), host kept for ${ms(mirrored.hostDelay)} ms`;
}
