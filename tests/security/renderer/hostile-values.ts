import fc from 'fast-check';

/** JSON that no honest sender sends in this place. `names` are ids and names that mean something to the receiver. */
export function hostileValue(names: readonly string[] = []): fc.Arbitrary<unknown> {
  const odd = [
    null,
    true,
    false,
    0,
    -1,
    0.5,
    1e308,
    -(2 ** 53),
    2 ** 31,
    '',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
  ];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...odd, [], {}, [null], { length: -1 }, ...names) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: LONG_UNITS }).map((size) => new Large('long', size)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('javascript:alert(1)', 'file:///etc/passwd', 'http://', '//', 'x'.repeat(9)),
    },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: DEEP }).map((size) => new Large('deep', size)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: WIDE }).map((size) => new Large('wide', size)) },
  );
}

/** Longest text, deepest and longest list: past every bound of a single field. */
const LONG_UNITS = 3_000_000;
const DEEP = 3_000;
const WIDE = 30_000;

/** A large value, which is made where it is used: in a report of a failure it is short. */
class Large {
  readonly kind: 'long' | 'deep' | 'wide';
  readonly size: number;

  constructor(kind: 'long' | 'deep' | 'wide', size: number) {
    this.kind = kind;
    this.size = size;
  }

  toJSON(): unknown {
    if (this.kind === 'long') return 'x'.repeat(this.size);
    if (this.kind === 'wide') return Array.from({ length: this.size }, (_, at) => at);
    let value: unknown = [];
    for (let level = 0; level < this.size; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  }
}

/** A change of a JSON value at one place of it. */
export interface Edit {
  /** Number of the place, in the order of {@link places}; taken modulo their count. */
  readonly at: number;
  /** Takes the place's value away. */
  readonly isRemoval: boolean;
  readonly value: unknown;
}

export function edits(value = hostileValue(), maxLength = 3): fc.Arbitrary<readonly Edit[]> {
  const one = fc.record({ at: fc.nat({ max: 10_000 }), isRemoval: fc.boolean(), value });
  return fc.array(one, { maxLength });
}

function copied(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The value with its edits. The value itself is not changed. */
export function edited(value: unknown, changes: readonly Edit[]): unknown {
  // In an object of its own, so that the whole value is a place, too.
  const whole = { value: copied(value) } as Record<string, unknown>;
  for (const { at, isRemoval, value: put } of changes) {
    const found = places(whole);
    const place = found[at % found.length];
    if (!place) continue;
    const { parent, key } = place;
    if (isRemoval && parent !== whole) Reflect.deleteProperty(parent, key);
    else
      Reflect.defineProperty(parent, key, { value: copied(put), enumerable: true, configurable: true, writable: true });
  }
  return whole['value'];
}

/** Maximum number of places that are looked at. */
const MAX_PLACES = 500;

function places(root: object): { readonly parent: object; readonly key: string }[] {
  const found: { parent: object; key: string }[] = [];
  const queue: object[] = [root];
  for (let parent = queue.shift(); parent && found.length < MAX_PLACES; parent = queue.shift())
    for (const [key, value] of Object.entries(parent)) {
      found.push({ parent, key });
      if (typeof value === 'object' && value !== null) queue.push(value as object);
      if (found.length >= MAX_PLACES) break;
    }
  return found;
}
