import { AppError } from '../../core/protocol/errors.ts';

interface FlagOptions {
  readonly profileDir: string;
  /** Must be readable by the surrogate's user. */
  readonly extensionDir?: string;
  /** The egress proxy's port on 127.0.0.1. */
  readonly proxyPort: number;
  /** Scrollbars take no room and are not painted. Off: pages lay out as in a window with classic scrollbars. */
  readonly hideScrollbars?: boolean;
  /** Size of the profile on disk, in bytes: what Chromium stores for sites, and caches, gets a part of it. */
  readonly profileBytes?: number;
  readonly extraArgs?: readonly string[];
}

/** Flags that weaken the sandbox or isolation; refused from every source. */
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
  // A page that is restored from it does not start again, so the mirror could not follow it.
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
  // Browser UI that nobody sees.
  'GlobalMediaControls',
  'LensOverlay',
  'Translate',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  // The person's address is used as typed; the shell decides on https.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // A process for the next site, 8 MiB for each person: it is started while the network answers.
  'SpareRendererForSitePerProcess',
  // A prerendered page would be a second target that is not mirrored.
  'Prerender2',
];

/** Values of the flags of a name. */
function featuresOf(flag: string, args: readonly string[]): string[] {
  return args.filter((arg) => arg.startsWith(flag)).map((arg) => arg.slice(flag.length));
}

/** Sites together may store half of the profile, and one of them three quarters of that: past it their writes fail. */
function storageFeatures(profileBytes: number | undefined): string[] {
  if (profileBytes === undefined) return [];
  return [`StorageQuotaSettings:PoolSizeBytes/${Math.floor(profileBytes / 2)}`];
}

/** Largest cache of responses, in bytes: Chromium's own default. */
const MAX_CACHE_BYTES = 320 * 1024 * 1024;

function cacheFlags(profileBytes: number | undefined): string[] {
  if (profileBytes === undefined) return [];
  return [`--disk-cache-size=${Math.min(MAX_CACHE_BYTES, Math.floor(profileBytes / 4))}`];
}

/** The command line of a surrogate, without the program. @throws AppError `surrogate-launch-failed` for a flag that weakens the sandbox. */
export function surrogateFlags(options: FlagOptions): string[] {
  const { profileDir, extensionDir, proxyPort, hideScrollbars = false, extraArgs = [] } = options;
  assertSandboxFlags(extraArgs);
  // Chromium uses only the last flag of a name: features to disable are one list.
  const extraFeatures = featuresOf('--disable-features=', extraArgs);
  const features = [...storageFeatures(options.profileBytes), ...featuresOf('--enable-features=', extraArgs)];
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profileDir}`,
    ...(extensionDir === undefined
      ? []
      : [`--load-extension=${extensionDir}`, `--disable-extensions-except=${extensionDir}`]),
    `--disable-features=${[...DISABLED_FEATURES, ...extraFeatures].join(',')}`,
    ...(features.length > 0 ? [`--enable-features=${features.join(',')}`] : []),
    ...cacheFlags(options.profileBytes),
    // navigator.webdriver stays false.
    '--disable-blink-features=AutomationControlled',
    // A mouse, which the machine does not have; emulated touch replaces it.
    '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    // All traffic goes through the egress proxy: loopback too, no name is resolved here, and WebRTC sends no UDP past
    // it.
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    // Chromium's own services.
    '--disable-background-networking',
    // These two send requests in spite of the flags: Chromium never connects to port 1.
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
    // People see tabs regardless of the window's state; the host decides which are hidden.
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    // The host detects hung pages.
    '--disable-hang-monitor',
    '--force-color-profile=srgb',
    '--mute-audio',
    ...(hideScrollbars ? ['--hide-scrollbars'] : []),
    ...extraArgs.filter((arg) => !/^--(?:dis|en)able-features=/.test(arg)),
  ];
}

/** @throws AppError `surrogate-launch-failed` when a command line contains a flag that weakens isolation. */
export function assertSandboxFlags(args: readonly string[]): void {
  const flag = args.find((arg) => SANDBOX_FLAGS.some((name) => arg === name || arg.startsWith(`${name}=`)));
  if (flag) throw new AppError('surrogate-launch-failed', `The flag ${flag} is never allowed.`, { data: { flag } });
}
