/** A storage of the browser; undefined where the person's settings forbid it. */
export function storageOf(window: Window, kind: 'sessionStorage' | 'localStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined; // forbidden by the browser's settings
  }
}

/** The stored JSON value of a key; undefined when missing or invalid. */
export function storedJson(storage: Storage | undefined, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? '') as unknown;
  } catch {
    return undefined; // missing or invalid
  }
}
