import { messagesOf } from '../../core/contracts/manifest.ts';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import type { AnyMessage } from '../../core/protocol/message.ts';
import { pairAnswerSchema, pairRequestSchema } from '../../core/protocol/pairing.ts';
import { PLUGINS } from '../contract/plugin-folders.ts';

/** Name of the call that begins a session, and a session after a reload. */
export const PAIR = 'POST /r/pair';

/** The fields of a valibot schema that tell its parts. */
interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly item?: Shape;
  readonly wrapped?: Shape;
  readonly pipe?: readonly Shape[];
}

/** Plugins whose messages nobody sends yet: the second renderer. */
const UNBUILT = ['compositor'];

/**
 * Each part of what client and host say to each other: a message (`find.start`), a field of it (`find.start.text`, `find.start result.count`) and
 * a kind that a field may have, by its name (`find.start.direction=next`).
 */
export function partsOfProtocol(): string[] {
  const messages = [
    ...CORE_MESSAGES,
    ...PLUGINS.filter(({ id }) => !UNBUILT.includes(id)).flatMap((plugin) => messagesOf(plugin.manifest)),
  ] as readonly AnyMessage[]; // only looked at
  return [
    ...messages
      .filter(({ direction }) => /^(?:client-to-host|host-to-client)$/.test(direction))
      .flatMap(({ name, params, result }) => [
        ...partsOf(name, params),
        ...(result ? partsOf(`${name} result`, result) : []),
      ]),
    ...partsOf(PAIR, pairRequestSchema),
    ...partsOf(`${PAIR} result`, pairAnswerSchema),
  ];
}

/** A part, and those of its schema. */
export function partsOf(name: string, schema: unknown): string[] {
  return [name, ...below(name, schema as Shape)]; // a schema of valibot
}

function below(place: string, shape: Shape): string[] {
  switch (shape.type) {
    case 'optional':
    case 'exact_optional':
    case 'nullish':
    case 'nullable':
      return shape.wrapped ? below(place, shape.wrapped) : [];
    case 'literal':
      return kindsOf(place, [shape.literal]);
    case 'picklist':
      return kindsOf(place, shape.options ?? []);
    case 'array':
      return shape.item ? below(place, shape.item) : [];
    case 'union':
    case 'variant':
      return [...new Set((shape.options as readonly Shape[]).flatMap((each) => below(place, each)))];
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.entries(shape.entries ?? {}).flatMap(([name, inner]) => partsOf(`${place}.${name}`, inner));
    default:
      return [];
  }
}

/** Longest text that may be a kind of a field, in UTF-16 units. */
const MOST_OF_KIND = 40;

/** Whether a value is a number that may be a kind of a field: other numbers are places and times, of which there is no end. */
const isSmall = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) < 100;

/** The kinds that a field may have, each by its name. */
function kindsOf(place: string, values: readonly unknown[]): string[] {
  return values
    .filter((value) => /^(?:string|number|boolean)$/.test(typeof value))
    .map((value) => `${place}=${String(value)}`);
}

/** The parts that a value has, by the same names; arrays by all of their items, down to a depth that schemas have. */
export function partsOfValue(place: string, value: unknown, depth = 6): string[] {
  if (typeof value === 'string') return [place, ...(value.length <= MOST_OF_KIND ? kindsOf(place, [value]) : [])];
  if (typeof value === 'boolean' || isSmall(value)) return [place, ...kindsOf(place, [value])];
  if (typeof value !== 'object' || value === null || depth === 0) return [place];
  if (Array.isArray(value))
    return [place, ...value.slice(0, 50).flatMap((each) => partsOfValue(place, each, depth - 1))];
  return [
    place,
    ...Object.entries(value).flatMap(([name, inner]) => partsOfValue(`${place}.${name}`, inner, depth - 1)),
  ];
}
