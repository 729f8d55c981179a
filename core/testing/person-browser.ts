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
