import * as v from 'valibot';
import type { Schema } from '../../core/protocol/message.ts';

const MAX_LIST = 10_000;
const switchName = v.pipe(v.string(), v.regex(/^\w{1,60}$/, 'write letters, digits and _'));
const variantName = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/, 'write true, false or the name of a variant'));

/** How the values of two levels become one, the outer level's first. */
interface Joining<T> {
  join(outer: T, inner: T): T;
  /** Whether the inner value would take protection away, which no level may; absent for what is no matter of protection. */
  loosens?(outer: T, inner: T): boolean;
}

/** One key of a policy: what may stand there, what holds when nothing does, and how levels add up. `T` is the effective value. */
export class Setting<T> {
  /** What may stand in the file; it yields the value. */
  readonly schema: Schema<T>;
  /** What a value of one level, once read, may be. */
  readonly value: Schema<T>;
  readonly fallback: T;
  readonly about: string;
  /** Why nothing enforces it; absent where something does. */
  readonly gap: string | undefined;
  readonly #joining: Joining<T>;

  constructor(
    schema: Schema<T>,
    fallback: T,
    about: string,
    joining: Joining<T>,
    { value = schema, gap }: { readonly value?: Schema<T>; readonly gap?: string | undefined } = {},
  ) {
    this.schema = schema;
    this.value = value;
    this.fallback = fallback;
    this.about = about;
    this.gap = gap;
    this.#joining = joining;
  }

  /** The same setting, which nothing enforces for this reason: a file that asks for more than the default is refused. */
  unenforced(gap: string | undefined): Setting<T> {
    return new Setting(this.schema, this.fallback, this.about, this.#joining, { value: this.value, gap });
  }

  /** Whether levels may only tighten it. */
  get protects(): boolean {
    return this.#joining.loosens !== undefined;
  }

  /** The value of two levels together. A setting that protects never gets looser by it. */
  join(outer: T, inner: T): T {
    return this.#joining.join(outer, inner);
  }

  /** Whether an inner level tries to take away what an outer one protects. */
  loosens(outer: T, inner: T): boolean {
    return this.#joining.loosens?.(outer, inner) ?? false;
  }
}

/** Settings by name, in sections. */
export interface SettingTree {
  readonly [name: string]: Setting<unknown> | SettingTree;
}

/** The effective values of a tree of settings. */
export type ValuesOf<T> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : T[K] extends SettingTree ? ValuesOf<T[K]> : never;
};

/** What is no matter of protection: the most specific level that says something wins. */
export function free<T, F>(schema: Schema<T>, fallback: F, about: string): Setting<T | F> {
  return new Setting<T | F>(schema, fallback, about, { join: (_outer, inner) => inner }); // a file never holds the fallback's type
}

/** A switch whose values are ordered from the loosest to the tightest. */
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

/** Something that may be allowed: false protects. */
export function allowance(fallback: boolean, about: string): Setting<boolean> {
  return new Setting(v.boolean(), fallback, about, {
    join: (outer, inner) => outer && inner,
    loosens: (outer, inner) => inner && !outer,
  });
}

/** Something that may be demanded: true protects. */
export function demand(fallback: boolean, about: string): Setting<boolean> {
  return new Setting(v.boolean(), fallback, about, {
    join: (outer, inner) => outer || inner,
    loosens: (outer, inner) => outer && !inner,
  });
}

/** A bound: the smaller one protects. */
export function bound<F>(schema: Schema<number>, fallback: F, about: string): Setting<number | F> {
  const number = (value: number | F): number => (typeof value === 'number' ? value : Infinity);
  return new Setting<number | F>(schema, fallback, about, {
    // as in `free`
    join: (outer, inner) => (number(inner) < number(outer) ? inner : outer),
    loosens: (outer, inner) => number(inner) > number(outer),
  });
}

/** A list of what is allowed: an inner level may only choose from it. */
export function allowed<T>(item: Schema<T>, fallback: readonly T[], about: string): Setting<readonly T[]> {
  return new Setting<readonly T[]>(listOf(item), fallback, about, {
    join: (outer, inner) => inner.filter((each) => outer.includes(each)),
    loosens: (outer, inner) => inner.some((each) => !outer.includes(each)),
  });
}

/** A list of what is refused: every level adds to it. */
export function refused<T>(item: Schema<T>, about: string): Setting<readonly T[]> {
  return new Setting<readonly T[]>(listOf(item), [], about, {
    join: (outer, inner) => [...new Set([...outer, ...inner])],
    loosens: () => false, // what an outer level refuses stays refused whatever is said
  });
}

/**
 * A list that says what is allowed at one level. The value is the lists of all levels that have one: each of them must allow.
 *
 * @param canMeet whether anything that an item lets pass is let pass by a list, too: else the item has no effect below that list
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
    // One more list never allows more; whoever writes an item that comes to nothing thinks that it does.
    loosens: (outer, inner) => inner.flat().some((each) => outer.some((list) => !canMeet(list, each))),
  };
  return new Setting(lifted, [], about, joining, { value: v.pipe(v.array(listOf(item)), v.length(1)) });
}

/** Switches by name: false stays false; true or a text is whatever the most specific level says. */
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

/** The settings of a tree with their paths. */
export function leavesOf(
  tree: SettingTree,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly setting: Setting<unknown> }[] {
  return Object.entries(tree).flatMap(([name, entry]) =>
    entry instanceof Setting ? [{ path: [...path, name], setting: entry }] : leavesOf(entry, [...path, name]),
  );
}

/** The schema of a block, once read, of any of a tree's settings, and nothing else. */
export function valueSchema(tree: SettingTree): v.GenericSchema {
  const entries = Object.entries(tree).map(
    ([name, entry]) => [name, v.exactOptional(entry instanceof Setting ? entry.value : valueSchema(entry))] as const,
  );
  return v.strictObject(Object.fromEntries(entries));
}

/** The schema of a block that may hold any of a tree's settings, and nothing else. */
export function blockSchema(tree: SettingTree): v.GenericSchema {
  const entries = Object.entries(tree).map(([name, entry]) => {
    const schema = entry instanceof Setting ? v.pipe(entry.schema, v.description(entry.about)) : blockSchema(entry);
    return [name, v.exactOptional(schema)] as const;
  });
  return v.strictObject(Object.fromEntries(entries));
}
