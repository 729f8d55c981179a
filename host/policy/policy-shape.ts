import * as v from 'valibot';
import { policySchemas } from './policy-file.ts';
import type { PolicyFile } from './policy-file.ts';
import type { SettingsTable } from './settings-table.ts';
import type { PolicyFault } from './policy-error.ts';

type Path = readonly (string | number)[];

/**
 * Reads the value of a policy file by its schema. If it has faults, the file without the faulty parts is read, so that
 * all other faults are found too; returns nothing when nothing is left.
 */
export function readShape(
  value: unknown,
  settings: SettingsTable,
): { readonly content?: PolicyFile; readonly faults: readonly PolicyFault[] } {
  const { file } = policySchemas(settings);
  const faults: PolicyFault[] = [];
  let rest = value;
  for (;;) {
    const lists = listFaults(file, rest, []);
    const parsed = v.safeParse(file, rest);
    if (parsed.success && lists.length === 0) return { content: parsed.output as PolicyFile, faults }; // blocks are records of their settings
    const found = [
      ...lists,
      ...(parsed.issues ?? []).flatMap((issue) => shapeFaults(file, issue)).filter(isOutside(lists)),
    ];
    faults.push(...found);
    const cuts = found.map(({ path }) => cutOf(path));
    if (cuts.some(({ length }) => length === 0)) return { faults };
    if (rest === value) rest = structuredClone(value);
    for (const cut of cuts) remove(rest, cut);
  }
}

/** Returns a filter for faults outside the values of these faults, which the schema library reads as a wrong type. */
function isOutside(faults: readonly PolicyFault[]): (fault: PolicyFault) => boolean {
  const places = new Set(faults.map(({ path }) => JSON.stringify(path)));
  return ({ path }) =>
    places.size === 0 || [[], ...path].every((_, i) => !places.has(JSON.stringify(path.slice(0, i))));
}

/**
 * Path of the part that is left out because of a fault: the smallest part that is never required and whose removal
 * shifts nothing.
 */
function cutOf(path: Path): Path {
  const [part, , kind] = path;
  if (part !== 'tenants') return path.slice(0, 2); // a flag or a rule is left out whole
  if (path.length < 2) return [];
  const level = kind === 'groups' || kind === 'users' ? 4 : 2;
  if (path[level] === 'sites') return path.slice(0, level + 1);
  const item = path.findIndex((step) => typeof step === 'number');
  return item < 0 ? path : path.slice(0, item);
}

function remove(root: unknown, path: Path): void {
  let at = root;
  for (const step of path.slice(0, -1)) at = isRecord(at) ? at[step] : undefined;
  const last = path.at(-1);
  if (isRecord(at) && last !== undefined) delete at[last];
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

type Issue = v.BaseIssue<unknown>;

/**
 * Faults for an issue of the schema, in words for the author of the file. For a union, the issues of the closest
 * member.
 */
function shapeFaults(file: v.GenericSchema, issue: Issue): PolicyFault[] {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const last = path.at(-1);
  if (issue.expected === 'never' && last !== undefined) {
    const known = keysAt(file, path.slice(0, -1));
    return [
      {
        path,
        key: true,
        message: `${inRecord(path)}unknown key ${JSON.stringify(last)}${known.length > 0 ? `: expected one of ${known.join(', ')}` : ''}`,
      },
    ];
  }
  if (issue.kind === 'schema' && issue.received === 'undefined' && last !== undefined && issue.input === undefined)
    return [{ path: path.slice(0, -1), message: `${inRecord(path)}${JSON.stringify(last)} is missing` }];
  const where = path.length > 0 ? `${placeIn(path)}: ` : '';
  return [{ path, key: isKeyIssue(issue), message: `${where}${reason(issue)}` }];
}

/** The name of a setting; of a value in a record, its path as well, since names of fields say little: `transfers.rules[2].types`. */
function placeIn(path: Path): string {
  const names = path.filter((step) => typeof step === 'string');
  const setting = path.lastIndexOf('policy') + 1;
  const isInRecord = setting > 0 && path.some((step, at) => at > setting && isField(step, path[at - 1]));
  if (!isInRecord) return names.at(-1) ?? '';
  return path
    .slice(setting)
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** The path of the record that a key is in, where it is in one. */
function inRecord(path: Path): string {
  return isField(path.at(-1) ?? 0, path.at(-2)) && path.includes('policy')
    ? `${placeIn(path).replace(/\.[^.]*$/, '')}: `
    : '';
}

const isField = (step: string | number, before: string | number | undefined): boolean =>
  typeof step === 'string' && typeof before === 'number';

/** Texts for expectations that the schema library has no text for. */
const WORDS: Readonly<Record<string, string>> = { integer: 'a whole number', finite: 'a finite number' };

function isKeyIssue(issue: Issue): boolean {
  return issue.path?.at(-1)?.origin === 'key';
}

function reason(issue: Issue): string {
  const { message, expected, received } = issue;
  const special = WORDS[issue.type];
  if (special !== undefined) return `expected ${special}, not ${received}`;
  if (!message.startsWith('Invalid')) return message;
  const hint = expected === 'boolean' && typeof issue.input === 'string' ? ': write true or false, without quotes' : '';
  return `expected ${expected}, not ${received}${hint}`;
}

/** Finds lists in place of objects, which the schema library accepts as objects. */
function listFaults(schema: unknown, value: unknown, path: Path): PolicyFault[] {
  const { type, entries = {}, value: each, item } = bare(schema) as Shape & { readonly entries?: Shape };
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => listFaults(each ?? entries[name], inner, [...path, name]));
  if (type === 'strict_object' || type === 'record')
    return [{ path, message: `${listName(path)}: expected names with values, not a list` }];
  return value.flatMap((inner, index) => listFaults(item, inner, [...path, index]));
}

function listName(path: Path): string {
  const last = path.at(-1) ?? 'the file';
  return typeof last === 'number' ? `${path.at(-2) ?? ''}[${last}]` : last;
}

/** Returns the keys that an object of the schema has. */
function keysAt(schema: unknown, path: Path): string[] {
  let at = bare(schema);
  for (const step of path) at = bare(at['entries'] ? (at['entries'] as Shape)[step] : (at['value'] ?? at['item']));
  return Object.keys((at['entries'] as Shape | undefined) ?? {});
}

type Shape = Readonly<Record<string, unknown>>;

/** Unwraps a schema; for a union, returns the member that has entries. */
function bare(schema: unknown): Shape {
  const shape = (schema ?? {}) as Shape; // schemas are plain objects
  return 'wrapped' in shape ? bare(shape['wrapped']) : shape;
}
