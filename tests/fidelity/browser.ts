import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import type { Browser } from 'playwright';

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

/**
 * Features that are disabled in the person's browser of the tests. Chromium uses the last list only: the first part is
 * the one that playwright gives.
 */
const WITHOUT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Pages of its own behind the address bar: every window loads them at the same time as the page under test.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/**
 * Flags of the person's browser of the tests: it sends no requests of its own, and runs no services beside the page.
 */
export const PERSON_FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
];

/** A headless Chromium without scrollbars and without traffic of its own. The caller closes it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
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
