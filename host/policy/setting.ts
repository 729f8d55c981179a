import * as v from 'valibot';
import type { Schema } from '../../core/protocol/message.ts';

const MAX_LIST = 10_000;
const switchName = v.pipe(v.string(), v.regex(/^\w{1,60}$/, 'write letters, digits and _'));
const variantName = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/, 'write true, false or the name of a variant'));

/** Rule that merges the values of two levels, the outer level's first. */
interface Joining<T> {
  join(outer: T, inner: T): T;
  /**
   * Whether the inner value would remove protection, which no level may do; absent for settings that do not protect.
   */
  loosens?(outer: T, inner: T): boolean;
  /** The value of a level, with the name of that level; absent for settings that do not keep it. */
  placed?(value: T, level: string): T;
}

interface SettingOptions<T> {
  readonly value?: Schema<T>;
  readonly gap?: string | undefined;
  readonly held?: readonly T[];
  readonly needs?: readonly string[];
}

/** One key of a policy: its schema, its default, and how levels are merged. `T` is the effective value. */
export class Setting<T> {
  /** Schema of the key in the file; its output is the value. */
  readonly schema: Schema<T>;
  /** Schema of one level's value after parsing. */
  readonly value: Schema<T>;
  readonly fallback: T;
  readonly about: string;
  /** Reason why nothing in this build acts on it; absent where something does. */
  readonly gap: string | undefined;
  /** Paths of the settings without any of which it has no effect; empty where it needs none. */
  readonly needs: readonly string[];
  /** Values besides the default that hold although nothing acts on it. Empty where there is no gap. */
  readonly #held: readonly T[];
  readonly #joining: Joining<T>;

  constructor(
    schema: Schema<T>,
    fallback: T,
    about: string,
    joining: Joining<T>,
    { value = schema, gap, held = [], needs = [] }: SettingOptions<T> = {},
  ) {
    this.schema = schema;
    this.value = value;
    this.fallback = fallback;
    this.about = about;
    this.gap = gap;
    this.needs = needs;
    this.#held = held;
    this.#joining = joining;
  }

  /**
   * The same setting, marked for this reason as one that nothing acts on: a file with a value other than the default is
   * refused.
   *
   * @param held other values that are accepted, since the build does what they ask for anyway
   */
  unenforced(gap: string | undefined, ...held: readonly T[]): Setting<T> {
    return this.#with({ gap, held });
  }

  /** The same setting, marked as one that has no effect where no level sets one of these, or turns it on. */
  needing(...paths: readonly string[]): Setting<T> {
    return this.#with({ needs: paths });
  }

  #with(options: Partial<SettingOptions<T>>): Setting<T> {
    const { value, gap, needs } = this;
    const own = { value, gap, held: this.#held, needs, ...options };
    return new Setting(this.schema, this.fallback, this.about, this.#joining, own);
  }

  /** Whether it is a list of records, of which those of all levels hold. */
  get isOfRecords(): boolean {
    return this.#joining.placed !== undefined;
  }

  /** The value of one level, with the name of that level where the setting keeps it. */
  placed(value: T, level: string): T {
    return this.#joining.placed?.(value, level) ?? value;
  }

  /** Values that a file may give it where it has a gap; undefined where it may have any. */
  get accepted(): readonly T[] | undefined {
    if (this.gap === undefined) return undefined;
    return this.fallback === undefined ? this.#held : [this.fallback, ...this.#held];
  }

  /** Whether a file may give it this value: one that holds in this build. */
  isAccepted(value: T): boolean {
    return this.accepted?.some((each) => JSON.stringify(each) === JSON.stringify(value)) ?? true;
  }

  /** Whether inner levels may only tighten it. */
  get protects(): boolean {
    return this.#joining.loosens !== undefined;
  }

  /** Merges the values of two levels. A setting that protects never gets looser. */
  join(outer: T, inner: T): T {
    return this.#joining.join(outer, inner);
  }

  /** Whether an inner level tries to loosen the protection of an outer one. */
  loosens(outer: T, inner: T): boolean {
    return this.#joining.loosens?.(outer, inner) ?? false;
  }
}

/** Settings by name, in sections. */
export interface SettingTree {
  readonly [name: string]: Setting<unknown> | SettingTree;
}

/** Marks all settings of a section as ones that nothing acts on, but for those that have a reason of their own. */
export function unenforcedSection<T extends SettingTree>(section: T, gap: string): T {
  return Object.fromEntries(
    Object.entries(section).map(([name, entry]) => {
      if (!(entry instanceof Setting)) return [name, unenforcedSection(entry, gap)];
      return [name, entry.gap === undefined ? entry.unenforced(gap) : entry];
    }),
  ) as T; // the same settings
}

/** Effective values of a tree of settings. */
export type ValuesOf<T> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : T[K] extends SettingTree ? ValuesOf<T[K]> : never;
};

/** A setting that does not protect: the most specific level that sets it wins. */
export function free<T, F>(schema: Schema<T>, fallback: F, about: string): Setting<T | F> {
  return new Setting<T | F>(schema, fallback, about, { join: (_outer, inner) => inner }); // a file never has the type of the default
}

/** A setting whose values are ordered from the loosest to the tightest. */
export function ranked<const T extends string | number, F extends T | undefined>(
  values: readonly [T, ...T[]],
  fallback: F,
  about: string,
): Setting<T | F> {
  const rank = (value: T | F): number => values.findIndex((each) => each === value);
  return new Setting<T | F>(v.picklist(values), fallback, about, {
    join: (outer, inner) => (rank(outer) > rank(inner) ? outer : inner),
    loosens: (outer, inner) => rank(inner) < rank(outer),
  });
}

/** A switch that permits something: false protects. */
export function allowance(fallback: boolean, about: string): Setting<boolean> {
  return new Setting(v.boolean(), fallback, about, {
    join: (outer, inner) => outer && inner,
    loosens: (outer, inner) => inner && !outer,
  });
}

/** A switch that requires something: true protects. */
export function demand(fallback: boolean, about: string): Setting<boolean> {
  return new Setting(v.boolean(), fallback, about, {
    join: (outer, inner) => outer || inner,
    loosens: (outer, inner) => outer && !inner,
  });
}

/** An upper limit: the smaller one protects. */
export function bound<F>(schema: Schema<number>, fallback: F, about: string): Setting<number | F> {
  const number = (value: number | F): number => (typeof value === 'number' ? value : Infinity);
  return new Setting<number | F>(schema, fallback, about, {
    // as in `free`
    join: (outer, inner) => (number(inner) < number(outer) ? inner : outer),
    loosens: (outer, inner) => number(inner) > number(outer),
  });
}

/** An allowlist: an inner level may only choose from it. */
export function allowed<T>(item: Schema<T>, fallback: readonly T[], about: string): Setting<readonly T[]> {
  return new Setting<readonly T[]>(listOf(item), fallback, about, {
    join: (outer, inner) => inner.filter((each) => outer.includes(each)),
    loosens: (outer, inner) => inner.some((each) => !outer.includes(each)),
  });
}

/** A denylist: every level adds to it. */
export function refused<T>(item: Schema<T>, about: string): Setting<readonly T[]> {
  return new Setting<readonly T[]>(listOf(item), [], about, {
    join: (outer, inner) => [...new Set([...outer, ...inner])],
    loosens: () => false, // an entry of an outer level always stays
  });
}

/**
 * An allowlist per level. The value is the lists of all levels that have one: each of them must allow.
 *
 * @param canMeet whether an item and a list have a match in common: if not, the item has no effect below that list
 */
export function everyLevel<T>(
  item: Schema<T>,
  about: string,
  canMeet: (list: readonly T[], item: T) => boolean,
): Setting<readonly (readonly T[])[]> {
  const lifted = v.pipe(
    listOf(item),
    v.transform((list) => [list]),
  );
  const joining: Joining<readonly (readonly T[])[]> = {
    join: (outer, inner) => [...outer, ...inner],
    // A further list never allows more; an item without effect is a mistake of its author.
    loosens: (outer, inner) => inner.flat().some((each) => outer.some((list) => !canMeet(list, each))),
  };
  return new Setting(lifted, [], about, joining, { value: v.pipe(v.array(listOf(item)), v.length(1)) });
}

/** A record of a list, with the place that it comes from. */
interface PlacedRecord {
  readonly origin?: string;
}

/**
 * A list of records, at most `max` at one level. The records of all levels hold together, each with its place.
 *
 * @param name of the setting, for these places
 */
export function records<T extends object>(
  item: Schema<T>,
  max: number,
  name: string,
  about: string,
): Setting<readonly (T & PlacedRecord)[]> {
  const list = v.pipe(v.array(item), v.maxLength(max, `write at most ${max} entries`));
  return new Setting<readonly (T & PlacedRecord)[]>(list, [], about, {
    join: (outer, inner) => [...outer, ...inner],
    loosens: () => false, // a record of an outer level always stays
    placed: (value, level) => value.map((each, index) => ({ ...each, origin: `${level}: ${name}[${index}]` })),
  });
}

/** Switches by name: false stays false; true or a text is taken from the most specific level. */
export function switches(about: string): Setting<Readonly<Record<string, boolean | string>>> {
  const schema = v.record(switchName, v.union([v.boolean(), variantName]));
  return new Setting<Readonly<Record<string, boolean | string>>>(schema, {}, about, {
    join: (outer, inner) => ({
      ...outer,
      ...Object.fromEntries(Object.entries(inner).filter(([name]) => !isOff(outer, name))),
    }),
    loosens: (outer, inner) => Object.entries(inner).some(([name, value]) => value !== false && isOff(outer, name)),
  });
}

function isOff(values: Readonly<Record<string, boolean | string>>, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] === false;
}

function listOf<T>(item: Schema<T>): Schema<readonly T[]> {
  return v.pipe(v.array(item), v.maxLength(MAX_LIST));
}

/** Returns the settings of a tree with their paths. */
export function leavesOf(
  tree: SettingTree,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly setting: Setting<unknown> }[] {
  return Object.entries(tree).flatMap(([name, entry]) =>
    entry instanceof Setting ? [{ path: [...path, name], setting: entry }] : leavesOf(entry, [...path, name]),
  );
}

/** Schema of a parsed block with any settings of a tree, and no other keys. */
export function valueSchema(tree: SettingTree): v.GenericSchema {
  const entries = Object.entries(tree).map(
    ([name, entry]) => [name, v.exactOptional(entry instanceof Setting ? entry.value : valueSchema(entry))] as const,
  );
  return v.strictObject(Object.fromEntries(entries));
}

/** Schema of a block that may contain any settings of a tree, and no other keys. */
export function blockSchema(tree: SettingTree): v.GenericSchema {
  const entries = Object.entries(tree).map(([name, entry]) => {
    return [name, v.exactOptional(entry instanceof Setting ? describedSchema(entry) : blockSchema(entry))] as const;
  });
  return v.strictObject(Object.fromEntries(entries));
}

/** The schema of a setting with what editors show of it: its description, and the values that are accepted. */
function describedSchema({ schema, about, gap, accepted }: Setting<unknown>): v.GenericSchema {
  if (gap === undefined) return v.pipe(schema, v.description(about));
  return v.pipe(schema, v.description(`${about} (without effect: ${gap})`), v.metadata({ accepted }));
}
