/** Declarations of a plugin beside its halves, as plain data of its manifest: options, counters and event files. */

interface Described {
  /** One line for administrators. */
  readonly about: string;
}

interface DescribedOption extends Described {
  /** Its name on the command line, in place of `<plugin>-<name>`. */
  readonly flag?: string;
  /** Given to the service half alone, so that no cell has it: for secrets. These belong into the environment, as others see the command line. */
  readonly only?: 'service';
}

/**
 * An option of the host's command line, `--<plugin>-<name>`, and of its environment, `VITRINE_<PLUGIN>_<NAME>`. It holds for all people of the
 * host; what differs between people is a setting of the policy.
 */
export type OptionDeclaration = DescribedOption &
  (
    | { readonly kind: 'switch' }
    /** A whole number, not negative, of `unit`: `MIB`. */
    | {
        readonly kind: 'number';
        readonly unit: string;
        readonly min: number;
        readonly max: number;
        readonly fallback: number;
      }
    /** A text of at most 1,000 characters; `value` stands for it in the help: `URL`. */
    | { readonly kind: 'text'; readonly value: string; readonly fallback: string }
    /** Texts of at most 1,000 characters each: the option is repeatable, or has commas in the environment. At most 20. */
    | {
        readonly kind: 'texts';
        readonly value: string;
        /** Source of a regular expression of which each text is a whole match. */
        readonly pattern?: string;
      }
  );

/** Options of a plugin, by name in kebab case. */
export type PluginOptions = Readonly<Record<string, OptionDeclaration>>;

/** Value of an option. */
export type OptionValue = boolean | number | string | readonly string[];

type ValueOf<D> = D extends { readonly kind: 'switch' }
  ? boolean
  : D extends { readonly kind: 'number' }
    ? number
    : D extends { readonly kind: 'texts' }
      ? readonly string[]
      : string;

/** Values of the options that a manifest declares; any values where its type is not known. */
export type OptionValues<M> = M extends { readonly options: infer O }
  ? { readonly [Name in keyof O]: ValueOf<O[Name]> }
  : Readonly<Record<string, OptionValue>>;

/** Counters or event files of a plugin: what each holds, by name in kebab case. */
export type Recorded = Readonly<Record<string, string>>;
