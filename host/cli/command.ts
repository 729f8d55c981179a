import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../core/protocol/errors.ts';

/** A command of `vitrine`. */
export interface Command {
  /** One or two words: `policy check`. */
  readonly name: string;
  /** Arguments after the name: `FILE [--plugins PATH]...`. */
  readonly usage: string;
  readonly about: string;
  /** @throws AppError with a message for the person; `bad-option` for invalid arguments. */
  run(args: readonly string[], print: (line: string) => void): Promise<void>;
}

/** Parsed options of a command: those with one text, and those with several. */
interface Given {
  readonly one: (name: string) => string | undefined;
  readonly many: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
  readonly positionals: readonly string[];
}

type Kind = 'one' | 'many' | 'switch';

/**
 * Parses the arguments of a command: `options` by their kind, and a maximum number of positional ones. @throws AppError
 * `bad-option`.
 */
export function given(args: readonly string[], options: Readonly<Record<string, Kind>>, positionals = 0): Given {
  const declared = Object.entries(options).map(
    ([name, kind]) =>
      [name, { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'many' } as const] as const,
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: Object.fromEntries(declared), allowPositionals: positionals > 0 });
  } catch (cause) {
    throw new AppError('bad-option', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const { values } = parsed;
  const [extra] = parsed.positionals.slice(positionals);
  if (extra !== undefined) throw new AppError('bad-option', `unexpected argument ${JSON.stringify(extra)}`);
  const texts = (name: string): string[] => [values[name]].flat().filter((value) => typeof value === 'string');
  return {
    one: (name) => texts(name)[0],
    many: texts,
    has: (name) => values[name] === true,
    positionals: parsed.positionals,
  };
}

/** Resolves a path against the folder in which the person called npm, which runs scripts elsewhere. */
export function givenPath(file: string): string {
  return path.resolve(process.env['INIT_CWD'] ?? '.', file);
}

/** The policy file of an option or of the environment. @throws AppError `bad-option` when neither names one. */
export function givenPolicy(file: string | undefined): string {
  const named = file ?? process.env['VITRINE_POLICY'];
  if (!named) throw new AppError('bad-option', 'no policy file: use --policy FILE or VITRINE_POLICY');
  return givenPath(named);
}

/** The plugin folders of an option, else of the environment. */
export function givenPlugins(folders: readonly string[]): string[] {
  const named = folders.length > 0 ? folders : (process.env['VITRINE_PLUGINS'] ?? '').split(',');
  return named.filter((folder) => folder !== '').map(givenPath);
}
