/** Settings that a plugin declares in its manifest: plain data, from which the host makes what policy files may say. */

interface Described {
  /** One line for administrators: what the setting does. */
  readonly about: string;
  /**
   * Where the client is told of it, in the site capabilities: `copy_paste_policy.disable_copy`. Absent: it is not told. The last name is
   * also a key of POST /r/policy/query.
   */
  readonly client?: readonly string[];
}

/**
 * One setting: what may stand in the file, what holds when nothing does (`fallback`), and how levels add up. Of a `demand`, true protects;
 * of an `allowance`, false; of a `bound`, the smaller number; of `ranked` values, the later one: inner levels only tighten these. A
 * `flag`, a `choice` and a `text` are as the most specific level says. A text is never blank and has none of `< > " /`.
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
  );

/** Settings of a plugin: sections of a policy with their settings by name. */
export type PluginSettings = Readonly<Record<string, Readonly<Record<string, SettingDeclaration>>>>;

/** Something that may declare settings: a manifest. */
export interface Declaring {
  readonly settings?: PluginSettings;
}

type Given<D> = D extends { readonly fallback: unknown } ? never : undefined;

/** The effective value of a setting. */
type ValueOf<D> = D extends { readonly kind: 'demand' | 'allowance' | 'flag' }
  ? boolean
  : D extends { readonly kind: 'bound' }
    ? number | Given<D>
    : D extends { readonly kind: 'ranked' | 'choice'; readonly values: readonly (infer T)[] }
      ? T | Given<D>
      : string | Given<D>;

/** The effective values of what a manifest declares, by section; anything where it declares nothing. */
export type SettingValues<M> = M extends { readonly settings: infer S }
  ? { readonly [Section in keyof S]: { readonly [Name in keyof S[Section]]: ValueOf<S[Section][Name]> } }
  : unknown;

type Leaves<S> = { readonly [Section in keyof S]: S[Section][keyof S[Section]] }[keyof S];

type At<Path extends string, T> = Path extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]?: At<Rest, T> }
  : { readonly [K in Path]?: T };

type Told<D> = D extends { readonly client: readonly (infer Path)[] } ? ToldAt<Path, ValueOf<D>> : never;
type ToldAt<Path, T> = Path extends string ? [At<Path, T>] : never;

type All<T> = (T extends [infer Each] ? (each: Each) => void : never) extends (each: infer Each) => void ? Each : never;

/** What the client of a plugin is told of the settings that its manifest declares. Empty where it is told nothing. */
export type ClientSettings<M> = M extends { readonly settings: infer S } ? All<Told<Leaves<S>>> : object;
