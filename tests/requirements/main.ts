import path from 'node:path';
import { readCitations, readRequirements, stateOf } from './coverage.ts';
import type { Requirement, State } from './coverage.ts';

const USAGE = `Usage: npm run requirements -- [STATE] [FOLDER]
Counts the requirements of tests/REQUIREMENTS.md by folder: tested (a test cites the id in its title), named (the code alone names it),
open (it stands nowhere).
  STATE   tested, named or open: lists those
  FOLDER  lists those that a folder owes, such as core/session`;

const STATES: readonly State[] = ['tested', 'named', 'open'];
const root = path.resolve(import.meta.dirname, '../..');
const requirements = readRequirements(root);
const citations = readCitations(root);
const state = ({ id }: Requirement): State => stateOf(citations.get(id));

function count(some: readonly Requirement[]): string {
  return STATES.map((wanted) =>
    some
      .filter((each) => state(each) === wanted)
      .length.toString()
      .padStart(7),
  ).join('');
}

function table(): void {
  console.log(` tested  named   open  where`);
  const byFolder = Map.groupBy(requirements, ({ where }) => where);
  for (const [where, owed] of [...byFolder].sort()) console.log(`${count(owed)}  ${where}`);
  console.log(`${count(requirements)}  of ${requirements.length}`);
}

function list(wanted: string | undefined, folder: string | undefined): void {
  for (const requirement of requirements) {
    const { id, text, where } = requirement;
    if (wanted !== undefined && state(requirement) !== wanted) continue;
    if (folder !== undefined && where !== folder) continue;
    console.log(`${id}  ${state(requirement).padEnd(6)}  ${where}  ${text}`);
    const { tests = [], code = [] } = citations.get(id) ?? {};
    for (const file of tests.length > 0 ? tests : code) console.log(`         ${file}`);
  }
}

const args = process.argv.slice(2);
const wanted = args.find((arg) => STATES.includes(arg as State)); // a word
const folder = args.find((arg) => requirements.some(({ where }) => where === arg));
if (args.some((arg) => arg !== wanted && arg !== folder)) {
  console.error(USAGE);
  process.exitCode = args.includes('--help') ? 0 : 1;
} else if (args.length === 0) table();
else list(wanted, folder);
