import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { citedIn, namedIn } from './citations.ts';

/** A line of tests/REQUIREMENTS.md. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
  /** The responsible folder. */
  readonly where: string;
}

/** Files that cite a requirement, by path from the root. */
interface Citations {
  /** Files with a test that cites it in its title. */
  readonly tests: readonly string[];
  /** Files that name it: code, and tests other than by a title. */
  readonly code: readonly string[];
}

const ROW = /^\| ([SMR]-\d{3}) \| (.+) \| ([\w/-]+) \|$/gm;
const TEST = /(?:^|\/)tests\//;

/** Reads the table. */
export function readRequirements(root: string): Requirement[] {
  const table = readFileSync(path.join(root, 'tests/REQUIREMENTS.md'), 'utf8');
  return [...table.matchAll(ROW)].map(([, id = '', text = '', where = '']) => ({ id, text, where }));
}

/** Looks for ids in all sources, by id. */
export function readCitations(root: string): Map<string, Citations> {
  const found = new Map<string, { tests: string[]; code: string[] }>();
  const add = (id: string, kind: keyof Citations, file: string): void => {
    const entry = found.get(id) ?? { tests: [], code: [] };
    entry[kind].push(file);
    found.set(id, entry);
  };
  const files = globSync('{core,host,plugins,tests}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['**/node_modules/**'] });
  for (const file of files.sort()) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const cited = TEST.test(file) ? citedIn(file, text) : [];
    for (const id of cited) add(id, 'tests', file);
    for (const id of namedIn(text)) if (!cited.includes(id)) add(id, 'code', file);
  }
  return found;
}

/** State of a requirement: tested, named by code alone, or named nowhere. */
export type State = 'tested' | 'named' | 'open';

/** Returns the state of a requirement. */
export function stateOf(citations: Citations | undefined): State {
  if (!citations) return 'open';
  return citations.tests.length > 0 ? 'tested' : 'named';
}
