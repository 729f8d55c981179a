import type { Protocol } from 'devtools-protocol/types/protocol.js';

/** User agent and client hints that pages and servers see; fits `Emulation.setUserAgentOverride`. */
export interface UserAgent {
  readonly userAgent: string;
  readonly userAgentMetadata: Protocol.Emulation.UserAgentMetadata;
}

/**
 * User agent that this Chromium would have with a window, from `Browser.getVersion`. The host adapts it to the person's
 * browser.
 */
export function windowedUserAgent(version: Protocol.Browser.GetVersionResponse): UserAgent {
  const full = version.product.slice(version.product.indexOf('/') + 1);
  const major = full.slice(0, full.indexOf('.'));
  return {
    userAgent: version.userAgent.replace('HeadlessChrome/', 'Chrome/'),
    userAgentMetadata: {
      brands: brands(major, major),
      fullVersionList: brands(major, full),
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      bitness: '64',
      model: '',
      mobile: false,
      wow64: false,
    },
  };
}

/** Chromium's brands with its placeholder brand, built and placed as Chromium does from its major version. */
function brands(major: string, version: string): Protocol.Emulation.UserAgentBrandVersion[] {
  const seed = Number(major);
  const marks = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
  const mark = (at: number): string => marks[at % marks.length] ?? '';
  const filler = ['8', '99', '24'][seed % 3] ?? '';
  const meaningless = {
    brand: `Not${mark(seed)}A${mark(seed + 1)}Brand`,
    version: version === major ? filler : `${filler}.0.0.0`,
  };
  const chromium = { brand: 'Chromium', version };
  return seed % 2 === 0 ? [meaningless, chromium] : [chromium, meaningless];
}
