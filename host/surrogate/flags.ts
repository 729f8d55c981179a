import { AppError } from '../../core/protocol/errors.ts';

interface FlagOptions {
  readonly profileDir: string;
  /** Readable by the surrogate's user. */
  readonly extensionDir?: string;
  /** The egress proxy's port on 127.0.0.1. */
  readonly proxyPort: number;
  /** Scrollbars take no room and are not painted. Off: pages lay out as in a window with classic scrollbars. */
  readonly hideScrollbars?: boolean;
  readonly extraArgs?: readonly string[];
}

/** Flags that would take a wall away; refused from anywhere. */
const SANDBOX_FLAGS = [
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--disable-namespace-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--disable-gpu-sandbox',
  '--no-zygote',
  '--single-process',
  '--disable-web-security',
  '--disable-site-isolation-trials',
];

const DISABLED_FEATURES = [
  // A page that comes back out of it has no beginning that the mirror could follow.
  'BackForwardCache',
  // `--load-extension` is ignored with this one on.
  'DisableLoadExtensionCommandLineSwitch',
  // Chromium's own traffic.
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'OptimizationGuideModelDownloading',
  'OptimizationTargetPrediction',
  'SegmentationPlatform',
  // Browser surfaces that nobody sees.
  'GlobalMediaControls',
  'LensOverlay',
  'Translate',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  // The person's address is taken as it was typed; the shell decides on https.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // A prerendered page would be a second target that nobody mirrors.
  'Prerender2',
];

/** The command line of a surrogate, without the program. @throws AppError `surrogate-launch-failed` for a flag that weakens the sandbox. */
export function surrogateFlags(options: FlagOptions): string[] {
  const { profileDir, extensionDir, proxyPort, hideScrollbars = false, extraArgs = [] } = options;
  assertSandboxFlags(extraArgs);
  // Chromium heeds only the last flag of a name: features to disable are one list.
  const isFeatures = (arg: string): boolean => arg.startsWith('--disable-features=');
  const extraFeatures = extraArgs.filter(isFeatures).map((arg) => arg.slice(arg.indexOf('=') + 1));
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profileDir}`,
    ...(extensionDir === undefined
      ? []
      : [`--load-extension=${extensionDir}`, `--disable-extensions-except=${extensionDir}`]),
    `--disable-features=${[...DISABLED_FEATURES, ...extraFeatures].join(',')}`,
    // navigator.webdriver stays false.
    '--disable-blink-features=AutomationControlled',
    // A mouse, which the machine has none of; emulated touch takes its place.
    '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    // Everything goes through the egress proxy: loopback too, no name is resolved here, and WebRTC sends no UDP past it.
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    // Chromium keeps to itself.
    '--disable-background-networking',
    // These two go on asking all the same: port 1 is one that Chromium never connects to.
    '--component-updater=url-source=http://127.0.0.1:1/',
    '--gaia-url=http://127.0.0.1:1',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-field-trial-config',
    '--disable-search-engine-choice-screen',
    '--disable-sync',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-service-autorun',
    '--noerrdialogs',
    '--password-store=basic',
    '--use-mock-keychain',
    // Tabs are seen by people, whatever the window says; the host decides which are hidden.
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    // A hung page is the host's to notice; a reload that repeats a form is the person's decision already.
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--force-color-profile=srgb',
    '--mute-audio',
    ...(hideScrollbars ? ['--hide-scrollbars'] : []),
    ...extraArgs.filter((arg) => !isFeatures(arg)),
  ];
}

/** @throws AppError `surrogate-launch-failed` when a command line contains a flag that takes a wall away. */
export function assertSandboxFlags(args: readonly string[]): void {
  const flag = args.find((arg) => SANDBOX_FLAGS.some((name) => arg === name || arg.startsWith(`${name}=`)));
  if (flag)
    throw new AppError('surrogate-launch-failed', `A surrogate is never started with ${flag}.`, { data: { flag } });
}
