import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const WORD_COUNT = path.resolve(import.meta.dirname, '../../../../tests/fixtures/word-count');

/** A copy of the plugin of the fixtures, outside of this checkout, with some files written anew, or taken away (null). */
export function pluginFolder(changes: Readonly<Record<string, string | null>> = {}): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-plugin-'));
  cpSync(WORD_COUNT, folder, { recursive: true });
  for (const [name, text] of Object.entries(changes)) {
    const file = path.join(folder, name);
    if (text === null) rmSync(file, { recursive: true });
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  return folder;
}
