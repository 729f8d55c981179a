import type { Frame, Page } from 'playwright';

/** A surface as the gallery's document tells it. */
interface Named {
  readonly name: string;
  readonly part: string;
  readonly keys?: readonly string[];
}

/** Waits until a document shows its present style: transitions have ended. Animations that repeat for ever go on. */
export async function settle(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(drawn)); // transitions begin with the next style
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Opens a surface, and presses its keys. Returns the document that it is in. */
export async function openSurface(
  page: Page,
  address: string,
  { name, part, keys = [] }: Named,
  language = 'en',
): Promise<Frame> {
  await page.goto(`${address}?${new URLSearchParams({ surface: name, lang: language })}`);
  const isInFrame = /vitrine-(dialog|menu)|role=menu/.test(part);
  const locator = isInFrame ? page.frameLocator('#vitrine-page-frame').locator(part) : page.locator(part);
  await locator.first().waitFor();
  const frame = isInFrame ? page.frames().find((each) => each.url().includes('ui.html')) : page.mainFrame();
  if (!frame) throw new Error(`${name} has no document`);
  if (part.includes('dialog')) await frame.locator('.vitrine-dialog:not([aria-disabled])').waitFor();
  for (const key of keys) await page.keyboard.press(key);
  await settle(frame);
  return frame;
}
