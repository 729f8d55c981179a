import { readFileSync } from 'node:fs';
import path from 'node:path';

const TEXT = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');

/**
 * Reason for which an engine shows a page otherwise than directly, from README.md: `| corpus/page | reason |` below the
 * engine's name.
 */
export function known(engine: string, page: string): string | undefined {
  const section = TEXT.split(/^## /m).find((part) => part.startsWith(`${engine}\n`));
  const row = section?.split('\n').find((line) => line.startsWith(`| \`${page}\` |`));
  return row?.split('|')[2]?.trim();
}
