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

/** Fonts that are found out about when the test says so. */
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

  /** What has been asked for is known. */
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

it('is the same text but once, and another when families have been found out about', async () => {
  const fonts = new SlowFonts();
  const sheet = new FontSheet(fonts);
  const names = named('Georgia');
  let told = 0;
  const text = (): string | undefined => sheet.text(names, () => told++);
  expect(text()).not.toContain('@font-face');
  expect(text()).toBeUndefined();
  await fonts.finish();
  expect(told).toBe(1);
  expect(text()).toContain('@font-face{font-family:"Georgia";src:local("Face"),url(/c/f/1)');
  expect(text()).toBeUndefined();
});

it('finds out about few families of a document, and about none any more once another begins', async () => {
  const fonts = new SlowFonts();
  const sheet = new FontSheet(fonts);
  fonts.asked.length = 0;
  const many = Array.from({ length: 300 }, (_, n) => `Family ${n}`);
  sheet.text(named(...many), () => undefined);
  expect(fonts.asked.length).toBeLessThanOrEqual(40);
  sheet.begin();
  expect(fonts.signals.at(-1)?.aborted).toBe(true);
  let told = 0;
  sheet.text(named('Georgia'), () => told++);
  expect(fonts.asked.at(-1)).toBe('Georgia');
  await fonts.finish();
  expect(told).toBe(1);
});
