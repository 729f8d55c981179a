/** Options of the command line that plugins declare. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { OptionDeclaration, OptionValue, PluginOptions } from '../../core/contracts/declared.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';

/** Longest text of an option, in UTF-16 units. */
const MAX_OPTION_UNITS = 1000;
/** Texts that a repeatable option may have. */
const MAX_TEXTS = 20;

const name = v.pipe(v.string(), v.maxLength(100));
const text = v.pipe(v.string(), v.maxLength(MAX_OPTION_UNITS));
/** Value of an option. */
export const optionSchema = v.union([
  v.boolean(),
  v.number(),
  text,
  v.pipe(v.array(text), v.maxLength(MAX_TEXTS), v.readonly()),
]);
/** Values of options by plugin, then by name. */
export const optionsSchema = v.record(name, v.record(name, optionSchema));
export type OptionsByPlugin = v.InferOutput<typeof optionsSchema>;

/** The same without those that only service halves are given. */
export function optionsForCells(all: OptionsByPlugin, declared: readonly DeclaredOption[]): OptionsByPlugin {
  const isKept = (plugin: string, option: string): boolean =>
    declared.some((each) => each.plugin === plugin && each.name === option && each.declaration.only === undefined);
  return Object.fromEntries(
    Object.entries(all).map(([plugin, values]) => [
      plugin,
      Object.fromEntries(Object.entries(values).filter(([option]) => isKept(plugin, option))),
    ]),
  );
}

/** Values of the options of one plugin. */
export function optionsOf(all: OptionsByPlugin, plugin: string): Readonly<Record<string, OptionValue>> {
  return Object.hasOwn(all, plugin) ? (all[plugin] ?? {}) : {};
}

/** An option of the command line, with the plugin that has declared it. */
export interface DeclaredOption {
  readonly plugin: string;
  readonly name: string;
  /** As it stands on the command line: `print-max-document`. */
  readonly flag: string;
  readonly declaration: OptionDeclaration;
}

/**
 * The options of all plugins. Versions of one plugin have the same.
 *
 * @param taken names of the host's own options
 * @throws AppError `bad-plugin` for an option that is declared twice.
 */
export function declaredOptions(
  manifests: readonly Pick<AnyManifest, 'id' | 'options'>[],
  taken: readonly string[],
): DeclaredOption[] {
  const found = new Map<string, DeclaredOption>();
  for (const { id, options = {} } of manifests)
    for (const [each, declaration] of Object.entries<PluginOptions[string]>(options)) {
      const flag = declaration.flag ?? `${id}-${each}`;
      const other = found.get(flag);
      const isSame = other?.plugin === id && isDeepStrictEqual(other.declaration, declaration);
      if (taken.includes(flag) || (other && !isSame))
        throw new AppError('bad-plugin', `${id}: manifest: options: there is another option --${flag}`);
      found.set(flag, { plugin: id, name: each, flag, declaration });
    }
  return [...found.values()];
}

/** An option as it was given: texts for a repeatable one. */
export type GivenOption = string | boolean | readonly string[] | undefined;

/**
 * The value of an option as it was given; its fallback for undefined.
 *
 * @throws AppError `bad-option` saying which and why.
 */
export function optionValue({ flag, declaration }: DeclaredOption, given: GivenOption): OptionValue {
  const refuse = (reason: string): never => {
    throw new AppError('bad-option', `--${flag}: ${JSON.stringify(given)} is not valid: ${reason}`);
  };
  switch (declaration.kind) {
    case 'switch':
      return given === true || /^(1|true|yes)$/i.test(String(given ?? ''));
    case 'number': {
      if (given === undefined) return declaration.fallback;
      const { min, max } = declaration;
      const number = /^\d{1,15}$/.test(String(given)) ? Number(given) : NaN;
      return number >= min && number <= max ? number : refuse(`a whole number from ${min} to ${max} is needed`);
    }
    case 'text': {
      if (given === undefined) return declaration.fallback;
      const value = String(given);
      return value.length <= MAX_OPTION_UNITS ? value : refuse(`it is longer than ${MAX_OPTION_UNITS} characters`);
    }
    case 'texts': {
      const { pattern, value } = declaration;
      const isOne = new RegExp(`^(?:${pattern ?? '.*'})$`, 'su');
      const texts = Array.isArray(given) ? given.map(String) : [];
      if (texts.length > MAX_TEXTS) return refuse(`at most ${MAX_TEXTS} are taken`);
      if (!texts.every((each) => each.length <= MAX_OPTION_UNITS && isOne.test(each)))
        return refuse(`${value} is needed: see --help`);
      return texts;
    }
  }
}

/** Line of an option in the help: what stands after its name, and its text with the fallback. */
export function optionUsage({ declaration }: DeclaredOption): { readonly value?: string; readonly text: string } {
  const { about } = declaration;
  switch (declaration.kind) {
    case 'switch':
      return { text: about };
    case 'number':
      return { value: declaration.unit, text: `${about} (${declaration.fallback})` };
    case 'texts':
      return { value: declaration.value, text: `${about}; repeatable` };
    case 'text':
      return {
        value: declaration.value,
        text: declaration.fallback === '' ? about : `${about} (${declaration.fallback})`,
      };
  }
}
