import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { DecoderPackages } from './control-messages.ts';

/** Packages that decoders import by themselves. */
const IMPORTED = ['sharp', 'subset-font'];

/** The part of a package.json that is read. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Finds the packages of decoders as a file would import them, with all that these need and that is installed. A missing
 * one is left out.
 */
export function decoderPackages(from: string): DecoderPackages {
  const require = createRequire(from);
  const entries: Record<string, string> = {};
  const folders: Record<string, string> = {};
  const visit = (name: string, parent: string): void => {
    const folder = packageFolder(name, parent);
    if (folder === undefined || Object.hasOwn(folders, name)) return;
    folders[name] = folder;
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    ) as Manifest; // npm has read it
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, folder);
  };
  for (const name of IMPORTED) {
    visit(name, path.dirname(from));
    if (Object.hasOwn(folders, name)) entries[name] = realpathSync(require.resolve(name));
  }
  return { entries, folders };
}

/** Reasons, by setting, why nothing here acts on policies that have pictures converted; empty where something does. */
export function pictureGaps(packages: DecoderPackages): Readonly<Record<string, string>> {
  if (canDecodePictures(packages)) return {};
  const reason = 'sharp, which converts pictures, is not installed or has no program for this system';
  return { 'pictures.reencode': reason, 'pictures.max_side': reason };
}

/** Whether the packages have a program for pictures: native code for this system, or the one for all. */
function canDecodePictures({ folders }: DecoderPackages): boolean {
  return Object.keys(folders).some((name) => /^@img\/sharp-(?!libvips-)/.test(name));
}

/** The folder of a package as a module of another folder finds it. */
function packageFolder(name: string, from: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(folder, 'package.json'))) return realpathSync(folder);
    if (at === path.dirname(at)) return undefined;
  }
}
