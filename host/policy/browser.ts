/** The person's browser, as flags may target it. */
export interface Browser {
  readonly name: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
  /** Major version; 0 when it is unknown. */
  readonly version: number;
  readonly mobile: boolean;
}

/** The most specific first: user agents also name the browsers that they descend from. */
const NAMES = [
  ['edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['safari', /\bVersion\/(\d+)[\d.]*.*\bSafari\//],
] as const;

/** Reads a user-agent string. */
export function browserOf(userAgent: string): Browser {
  const mobile = /\b(?:Mobile|Android|iPhone|iPad)\b/.test(userAgent);
  for (const [name, pattern] of NAMES) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { name, version: Number(version), mobile };
  }
  return { name: 'other', version: 0, mobile };
}
