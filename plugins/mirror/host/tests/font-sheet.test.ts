import { expect, it } from 'vitest';
import type { SystemFace, SystemFonts } from '../../../../host/plugin.ts';
import { FontSheet } from '../font-sheet.ts';
import { fontNames } from '../sanitize/css-fonts.ts';

const FACE: SystemFace = {
  weight: '400',
  stretch: '100%',
  italic: false,
  local: 'Face',
  pieces: [{ range: 'U+0-ff', path: '/c/f/1' }],
};

/** Fonts whose lookups end when the test calls `finish`. */
class SlowFonts implements SystemFonts {
  readonly available = true;
  readonly known = new Map<string, readonly SystemFace[]>();
  readonly asked: string[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  #done = Promise.withResolvers<void>();

  faces(family: string): readonly SystemFace[] | undefined {
    return this.known.get(family);
  }

  learn(families: readonly string[], signal?: AbortSignal): Promise<void> {
    this.asked.push(...families);
    this.signals.push(signal);
    return this.#done.promise;
  }

  /** Ends all lookups. */
  async finish(): Promise<void> {
    for (const family of this.asked) this.known.set(family, [FACE]);
    this.#done.resolve();
    this.#done = Promise.withResolvers();
    await Promise.resolve();
  }
}

function named(...families: string[]): ReturnType<typeof fontNames> {
  const names = fontNames();
  for (const family of families) names.named.add(family);
  return names;
}

it.each(['v-constructor', 'v-__proto__', 'v-toString', 'constructor'])(
  'takes %s for a family like others',
  (family) => {
    const sheet = new FontSheet(new SlowFonts());
    expect(sheet.text(named(family), () => undefined)).toContain('@layer vitrine');
  },
);

it('returns an unchanged text only once, and a new one after a lookup of families', async () => {
  const fonts = new SlowFonts();
  const sheet = new FontSheet(fonts);
  const names = named('Georgia');
  let calls = 0;
  const text = (): string | undefined => sheet.text(names, () => calls++);
  expect(text()).not.toContain('@font-face');
  expect(text()).toBeUndefined();
  await fonts.finish();
  expect(calls).toBe(1);
  expect(text()).toContain('@font-face{font-family:"Georgia";src:local("Face"),url(/c/f/1)');
  expect(text()).toBeUndefined();
});

it('looks up a limited number of families of a document, and none once another one starts', async () => {
  const fonts = new SlowFonts();
  const sheet = new FontSheet(fonts);
  fonts.asked.length = 0;
  const many = Array.from({ length: 300 }, (_, n) => `Family ${n}`);
  sheet.text(named(...many), () => undefined);
  expect(fonts.asked.length).toBeLessThanOrEqual(40);
  sheet.begin();
  expect(fonts.signals.at(-1)?.aborted).toBe(true);
  let calls = 0;
  sheet.text(named('Georgia'), () => calls++);
  expect(fonts.asked.at(-1)).toBe('Georgia');
  await fonts.finish();
  expect(calls).toBe(1);
});
