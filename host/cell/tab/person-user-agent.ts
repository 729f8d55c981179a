import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import type { PersonBrowser } from './emulation.ts';

/** Names of systems in client hints, by patterns of user agent strings. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string, token: string])[] = [
  [/Android/, 'Android', 'Linux; Android 10; K'],
  [/iPhone|iPad/, 'Android', 'Linux; Android 10; K'],
  [/CrOS/, 'Chrome OS', 'X11; CrOS x86_64 14541.0.0'],
  [/Windows/, 'Windows', 'Windows NT 10.0; Win64; x64'],
  [/Macintosh|Mac OS X/, 'macOS', 'Macintosh; Intel Mac OS X 10_15_7'],
  [/./, 'Linux', 'X11; Linux x86_64'],
];
const CHROMIUM = /\bChrome\/(\d+)/;
const PRINTABLE = /^[\x20-\x7e]{1,1000}$/;
const MAX_LANGUAGES = 10;

/**
 * User agent that sites get for the person's browser. A Chromium's is passed on; another engine's would mislead sites,
 * so then it is the surrogate's own on the person's system.
 */
export function personUserAgent(
  browser: PersonBrowser,
  surrogate: UserAgent,
): Protocol.Emulation.SetUserAgentOverrideRequest {
  const reported = browser.render_params.user_agent.replace('HeadlessChrome/', 'Chrome/');
  const [, system = 'Linux', token = ''] = SYSTEMS.find(([pattern]) => pattern.test(reported)) ?? [];
  const major = PRINTABLE.test(reported) ? CHROMIUM.exec(reported)?.[1] : undefined;
  const { mobile } = browser.render_params.device_metrics;
  const own = surrogate.userAgent.replace(/\([^)]*\)/, `(${token})`);
  const userAgent = major === undefined ? (mobile ? own.replace(' Safari/', ' Mobile Safari/') : own) : reported;
  const languages = browser.languages
    .filter((tag) => /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag))
    .slice(0, MAX_LANGUAGES);
  return {
    userAgent,
    ...(languages.length > 0 ? { acceptLanguage: languages.join(',') } : {}),
    ...(PRINTABLE.test(browser.platform) ? { platform: browser.platform } : {}),
    userAgentMetadata: metadata(browser, surrogate, system, major),
  };
}

function metadata(
  browser: PersonBrowser,
  surrogate: UserAgent,
  system: string,
  major: string | undefined,
): Protocol.Emulation.UserAgentMetadata {
  const own = surrogate.userAgentMetadata;
  const as = (
    list: Protocol.Emulation.UserAgentBrandVersion[] = [],
    suffix: string,
  ): Protocol.Emulation.UserAgentBrandVersion[] =>
    list.map(({ brand, version }) => ({
      brand,
      version: brand === 'Chromium' && major !== undefined ? `${major}${suffix}` : version,
    }));
  const sameMajor = own.brands?.some(({ version }) => version === major) ?? false;
  return {
    ...own,
    ...(sameMajor ? {} : { brands: as(own.brands, ''), fullVersionList: as(own.fullVersionList, '.0.0.0') }),
    platform: hint(browser, 'platform') ?? system,
    platformVersion: hint(browser, 'platform-version') ?? own.platformVersion,
    architecture: hint(browser, 'arch') ?? own.architecture,
    model: hint(browser, 'model') ?? '',
    mobile: browser.render_params.device_metrics.mobile,
  };
}

/** Returns a client hint that the person's browser sent, by its header's name, without its quotes. */
function hint(browser: PersonBrowser, name: string): string | undefined {
  const value = browser.client_hints?.[`sec-ch-ua-${name}`]?.replaceAll('"', '');
  return value !== undefined && PRINTABLE.test(value) ? value : undefined;
}
