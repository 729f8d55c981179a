/** The person's browser, as flags may target it. */
export interface Browser {
  readonly name: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
  /** Major version; 0 when it is unknown. */
  readonly version: number;
  readonly mobile: boolean;
}

/** Longest text that is read, in UTF-16 units: real ones have less than 300. */
const MAX_UNITS = 2000;
/**
 * The most specific first: user agents also name the browsers that they descend from. The text is a client's: each pattern takes linear
 * time.
 */
const NAMES = [
  ['edge', /\bEdg(?:A|iOS)?\/(\d{1,9})/],
  ['firefox', /\b(?:Firefox|FxiOS)\/(\d{1,9})/],
  ['chrome', /\b(?:Chrome|CriOS)\/(\d{1,9})/],
  ['safari', /\bVersion\/(\d{1,9})/],
] as const;

/** Reads a user-agent string. */
export function browserOf(userAgent: string): Browser {
  const text = userAgent.slice(0, MAX_UNITS);
  const mobile = /\b(?:Mobile|Android|iPhone|iPad)\b/.test(text);
  for (const [name, pattern] of NAMES) {
    const found = pattern.exec(text);
    // Other browsers name a version, too.
    if (name === 'safari' && !text.includes(' Safari/', found?.index)) continue;
    const version = found?.[1];
    if (version !== undefined) return { name, version: Number(version), mobile };
  }
  return { name: 'other', version: 0, mobile };
}
