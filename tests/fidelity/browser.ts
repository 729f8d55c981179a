import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import type { Browser, BrowserContextOptions } from 'playwright';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';
import { patient } from '../../core/testing/script-page.ts';

/** Usual viewport, in CSS pixels. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Screen on which pages are compared. */
export interface Screen {
  readonly viewport: { readonly width: number; readonly height: number };
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** Whether scrollbars take room and are painted. */
  readonly scrollbars: boolean;
  /**
   * Whether the browser has windows on a display, which has that ratio. Without, the ratio is emulated: Chromium on Linux then draws
   * installed fonts as on such a screen, but the fonts of pages and characters that it finds in other fonts as on a screen of ratio 1.
   */
  readonly headed: boolean;
}

export const USUAL_SCREEN: Screen = { viewport: VIEWPORT, ratio: 1, scrollbars: false, headed: false };

/** Options of a browser context on that screen. */
export function contextOf({ viewport, ratio }: Screen): Pick<BrowserContextOptions, 'viewport' | 'deviceScaleFactor'> {
  return { viewport, deviceScaleFactor: ratio };
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The Chromium that acts as the person's: `VITRINE_CHROMIUM`, or the first one on the PATH. Throws when there is none.
 */
export function chromiumPath(): string {
  const asked = process.env.VITRINE_CHROMIUM;
  if (asked) return asked;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of NAMES) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  throw new Error('No Chromium on the PATH; name one in VITRINE_CHROMIUM.');
}

/** A headless Chromium without traffic of its own, by default without scrollbars. The caller closes it. */
export async function launchChromium(
  executablePath = chromiumPath(),
  { scrollbars, headed, ratio }: Screen = USUAL_SCREEN,
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    headless: !headed,
    ignoreDefaultArgs: scrollbars ? ['--hide-scrollbars'] : [],
    args: [
      ...PERSON_FLAGS,
      ...(scrollbars ? [] : ['--hide-scrollbars']),
      ...(headed ? [`--force-device-scale-factor=${ratio}`] : []),
      // WebGL without a GPU: pages that draw with it must be comparable.
      '--enable-unsafe-swiftshader',
    ],
  });
  return patient(browser);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
