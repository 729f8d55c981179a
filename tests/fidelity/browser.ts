import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';

/** Viewport of every picture, in CSS pixels, one device pixel each. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

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

/** A headless Chromium without scrollbars and without traffic of its own. The caller closes it. */
export function launchChromium(executablePath = chromiumPath()): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...PERSON_FLAGS,
      '--hide-scrollbars',
      // WebGL without a GPU: pages that draw with it must be comparable.
      '--enable-unsafe-swiftshader',
    ],
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
