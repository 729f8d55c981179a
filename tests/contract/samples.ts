import * as v from 'valibot';

/** The fields of a valibot schema that samplers read. */
interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly options?: readonly unknown[];
  readonly item?: Shape;
  readonly items?: readonly Shape[];
  readonly rest?: Shape;
  readonly key?: Shape;
  readonly value?: Shape;
  readonly wrapped?: Shape;
  readonly literal?: unknown;
  readonly pipe?: readonly { readonly kind: string; readonly requirement?: unknown }[];
}

/** Marks a key that is left out: JSON has no undefined. */
const ABSENT = Symbol('absent');

const TEXTS = ['', 'a', '1', 'ä\n"😀"\u2028', 'https://site.test/?q#h', 'x'.repeat(40)];
const NUMBERS = [0, 1, -1, 2, 0.5, 1e6, Number.MAX_SAFE_INTEGER];
const ANYTHING = [null, true, 'text', 1.5, [1, [2]], { a: { b: [] } }];

/**
 * Values that a schema accepts, among them the ends of its ranges.
 *
 * @throws Error for a schema whose values cannot be derived (`v.custom`, `v.regex`, `v.check`).
 */
export function samplesOf(schema: v.GenericSchema): unknown[] {
  const found = candidates(schema as unknown as Shape).filter((value) => v.safeParse(schema, value).success);
  if (found.length === 0) throw new Error(`no sample fits a schema of type ${schema.type}`);
  return found;
}

function candidates(shape: Shape): unknown[] {
  const bounds = (shape.pipe ?? []).map(({ requirement }) => requirement).filter((bound) => typeof bound === 'number');
  const of = (inner: Shape | undefined): unknown[] => samplesOf(inner as unknown as v.GenericSchema);
  switch (shape.type) {
    case 'string':
      return [...TEXTS, ...bounds.filter((bound) => bound < 100_000).map((bound) => 'm'.repeat(bound))];
    case 'number':
      return [...NUMBERS, ...bounds];
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'literal':
      return [shape.literal];
    case 'picklist':
      return [...(shape.options ?? [])];
    case 'unknown':
      return ANYTHING;
    case 'optional':
    case 'exact_optional':
    case 'nullish':
      return [ABSENT, ...of(shape.wrapped)].map((value) => (value === ABSENT ? undefined : value));
    case 'nullable':
      return [null, ...of(shape.wrapped)];
    case 'union':
    case 'variant':
      return (shape.options as readonly Shape[]).flatMap(of);
    case 'array':
      return [[], of(shape.item)];
    case 'tuple':
    case 'tuple_with_rest':
      return zip((shape.items ?? []).map(of));
    case 'record':
      return [{}, Object.fromEntries(of(shape.value).map((value, i) => [`${String(of(shape.key)[1])}${i}`, value]))];
    case 'object':
    case 'strict_object': {
      const entries = Object.entries(shape.entries ?? {});
      return zip(entries.map(([, inner]) => of(inner))).map((values) =>
        Object.fromEntries(entries.map(([key], i) => [key, values[i]]).filter(([, value]) => value !== undefined)),
      );
    }
    default:
      return [];
  }
}

/** Lists whose n-th item has the n-th of each, starting again where one has fewer. */
function zip(all: readonly (readonly unknown[])[]): unknown[][] {
  const length = Math.max(1, ...all.map((values) => values.length));
  return Array.from({ length }, (_, i) => all.map((values) => values[i % values.length]));
}
