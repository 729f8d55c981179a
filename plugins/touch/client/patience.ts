/** Longest time for which a gesture is held where nobody knows yet whether the page keeps it for itself, in ms. */
const UNKNOWN_MS = 300;
/** The same where the page has kept such a gesture before. */
const KNOWN_MS = 1000;
/** Kinds of gestures that a page has let go, and kept none, after which it is expected to let all others go; where its listeners are not known. */
const TRUSTED = 3;
/** Kinds of gestures that are remembered for a document. */
const MOST_KINDS = 500;

/** Elements whose names make the kind of a gesture, from the touched one outwards. */
const DEPTH = 3;

/** The kind of a gesture: where it begins, and in which direction. Elements of a list are alike. */
export function kindOf(path: readonly EventTarget[], axis: 'x' | 'y'): string {
  const names = path.slice(0, DEPTH).map((node) => {
    const { localName = '', id = '', className } = node as Partial<Element>; // documents and windows have none of them
    return `${localName}#${id}.${typeof className === 'string' ? className : ''}`;
  });
  return [axis, ...names].join(' ');
}

/**
 * Which gestures the page of a document keeps for itself, by what it has done with others of the same kind. Browsers ask the page before they
 * scroll; the answer takes a round trip here, and a page that never keeps one is not waited for.
 */
export class Patience {
  readonly #kept = new Map<string, boolean>();
  readonly #mayKeep: () => boolean | undefined;
  #letGo = 0;
  #keeps = false;

  /** `mayKeep` answers whether the page has a listener that may keep a gesture; undefined where nobody knows. */
  constructor(mayKeep: () => boolean | undefined) {
    this.#mayKeep = mayKeep;
  }

  /** Longest time in ms for which to hold such a gesture until the page has answered. */
  for(kind: string): number {
    const kept = this.#kept.get(kind);
    if (kept !== undefined) return kept ? KNOWN_MS : 0;
    return (this.#mayKeep() ?? (this.#keeps || this.#letGo < TRUSTED)) ? UNKNOWN_MS : 0;
  }

  /** The page has answered. A kind that was kept once is asked for each time. */
  learn(kind: string, isKept: boolean): void {
    if (isKept) this.#keeps = true;
    else this.#letGo += 1;
    if (this.#kept.size < MOST_KINDS) this.#kept.set(kind, isKept || this.#kept.get(kind) === true);
  }
}
