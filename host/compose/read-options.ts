import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { isExposed } from '../base/exposure.ts';
import type { DeclaredOption } from '../declared/options.ts';
import { OWN_OPTIONS, parseOptions, pluginFolders } from './options.ts';
import type { Options } from './options.ts';
import { optionsOfPlugins } from '../plugins/registry.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/**
 * Reads the options of a host, with those that its plugins declare.
 *
 * @throws AppError `bad-option`, or `bad-plugin` for a plugin that cannot be read.
 */
export async function readOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly options: Options; readonly declared: readonly DeclaredOption[] }> {
  const declared = await optionsOfPlugins(root, pluginFolders(argv, environment), OWN_OPTIONS);
  const options = parseOptions(argv, environment, declared);
  if (options.gallery && isExposed(options))
    throw new AppError('bad-option', '--gallery: it is for development, and not served to other machines');
  return { options, declared };
}
