/** Settings that a plugin declares in its manifest: plain data. The host derives the schema of policy files from it. */

interface Described {
  /** One line for administrators: describes the setting. */
  readonly about: string;
  /**
   * Path of the setting in the site capabilities of the client, such as `copy_paste_policy.disable_copy`. Absent: not sent to the client.
   * The last name is also a key of POST /r/policy/query.
   */
  readonly client?: readonly string[];
  /**
   * Path of a setting, such as `watermark.text`, without which this one has no effect: a policy in which no level sets that one, or turns it
   * on, gets a warning.
   */
  readonly needs?: string;
}

/** A field of the records of a setting. Fields are optional unless it says otherwise. */
export type RecordField = { readonly about: string } & (
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]]; readonly required?: true }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'text' }
  /** A list of words, each of which fits a regular expression as a whole; `write` is the error for others. */
  | { readonly kind: 'words'; readonly pattern: string; readonly write: string }
  /** A list of patterns of pages, as site rules have them. */
  | { readonly kind: 'sites' }
);

/**
 * One setting: allowed values in the file, the default (`fallback`), and how levels combine. The protective value is true for a `demand`,
 * false for an `allowance`, the smaller number for a `bound`, the later value for `ranked`: inner levels can only tighten these. For a
 * `flag`, a `choice` and a `text` the most specific level wins. A text is never blank and has none of `< > " /`. `records` are lists, of at
 * most `max` records at one level: those of all levels hold together, each with its place as `origin`. Whoever reads them lets the strictest
 * one win, so that an inner level can only tighten.
 */
export type SettingDeclaration = Described &
  (
    | { readonly kind: 'demand' | 'allowance' | 'flag'; readonly fallback: boolean }
    | {
        readonly kind: 'bound';
        readonly min: number;
        readonly max: number;
        readonly integer?: boolean;
        readonly fallback?: number;
      }
    | {
        readonly kind: 'ranked' | 'choice';
        readonly values: readonly [string, ...string[]];
        readonly fallback?: string;
      }
    | { readonly kind: 'text'; readonly fallback?: string }
    | { readonly kind: 'records'; readonly fields: Readonly<Record<string, RecordField>>; readonly max: number }
  );

/** Settings of a plugin: policy sections, with their settings by name. */
export type PluginSettings = Readonly<Record<string, Readonly<Record<string, SettingDeclaration>>>>;

/** Something that may declare settings, such as a manifest. */
export interface Declaring {
  readonly settings?: PluginSettings;
}

type FieldValue<F> = F extends { readonly kind: 'choice'; readonly values: readonly (infer T)[] }
  ? T
  : F extends { readonly kind: 'number' }
    ? number
    : F extends { readonly kind: 'text' }
      ? string
      : readonly string[];

type RecordOf<F> = {
  readonly [K in keyof F as F[K] extends { readonly required: true } ? K : never]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly required: true } ? never : K]?: FieldValue<F[K]>;
} & {
  /** Place in the policy: `tenant acme: rules[2]`, `group staff, sites[0]: rules[1]`. */
  readonly origin: string;
};

type Given<D> = D extends { readonly fallback: unknown } ? never : undefined;

/** The effective value of a setting. */
type ValueOf<D> = D extends { readonly kind: 'demand' | 'allowance' | 'flag' }
  ? boolean
  : D extends { readonly kind: 'bound' }
    ? number | Given<D>
    : D extends { readonly kind: 'ranked' | 'choice'; readonly values: readonly (infer T)[] }
      ? T | Given<D>
      : D extends { readonly kind: 'records'; readonly fields: infer F }
        ? readonly RecordOf<F>[]
        : string | Given<D>;

/** The effective values of the settings that a manifest declares, by section; any values where it declares none. */
export type SettingValues<M> = M extends { readonly settings: infer S }
  ? { readonly [Section in keyof S]: { readonly [Name in keyof S[Section]]: ValueOf<S[Section][Name]> } }
  : unknown;

type Leaves<S> = { readonly [Section in keyof S]: S[Section][keyof S[Section]] }[keyof S];

type At<Path extends string, T> = Path extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]?: At<Rest, T> }
  : { readonly [K in Path]?: T };

type Exposed<D> = D extends { readonly client: readonly (infer Path)[] } ? ExposedAt<Path, ValueOf<D>> : never;
type ExposedAt<Path, T> = Path extends string ? [At<Path, T>] : never;

type All<T> = (T extends [infer Each] ? (each: Each) => void : never) extends (each: infer Each) => void ? Each : never;

/** Settings in a plugin's manifest that the client receives. Empty where there are none. */
export type ClientSettings<M> = M extends { readonly settings: infer S } ? All<Exposed<Leaves<S>>> : object;
