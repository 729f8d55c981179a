import * as v from 'valibot';
import { AppError } from '../../core/protocol/errors.ts';
import type { Declaring, PluginSettings, RecordField, SettingDeclaration } from '../../core/contracts/setting.ts';
import { plainText } from './customization.ts';
import { sitePattern } from './host-pattern.ts';
import { allowance, bound, demand, free, ranked, records } from './setting.ts';
import type { Setting } from './setting.ts';

/** Settings of one plugin, as plain data: another process builds the same table from them. */
export interface DeclaredSettings {
  /** Id of the plugin. */
  readonly plugin: string;
  readonly settings: PluginSettings;
  /** Whether the plugin is outside this checkout: its section must be named like it. */
  readonly isExternal: boolean;
  /** Whether the plugin is not part of this build: nothing enforces its settings. */
  readonly isLeftOut: boolean;
}

const name = v.pipe(
  v.string(),
  v.regex(/^[a-z]\w{0,59}$/, 'write letters, digits and _, starting with a lower-case letter'),
);
const about = v.pipe(v.string(), v.minLength(1), v.maxLength(300), v.regex(/^[^\p{Cc}]*$/u, 'write one line'));
const place = v.pipe(v.string(), v.maxLength(130), v.regex(/^[a-z]\w*(?:\.[a-z]\w*)?$/, 'write name or record.name'));
const finite = v.pipe(v.number(), v.finite());
const word = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/, 'write letters, digits, ., _ and -'));
const optional = v.exactOptional;
const path = v.pipe(v.string(), v.maxLength(130), v.regex(/^[a-z]\w*\.[a-z]\w*$/, 'write section.name'));
const described = {
  about,
  client: optional(v.pipe(v.array(place), v.minLength(1), v.maxLength(4))),
  needs: optional(path),
};

/** Records of one level, and entries of a list in a record, that a manifest may allow at most. */
const MAX_RECORDS = 1000;
const MAX_WORDS = 100;
const MAX_WORD = 200;
/** Fields of a record that the host adds. */
const RESERVED_FIELDS = ['origin'];

const fieldName = v.pipe(
  name,
  v.check((text) => !RESERVED_FIELDS.includes(text), 'this name is taken'),
);
const field = v.variant('kind', [
  v.strictObject({
    about,
    kind: v.literal('choice'),
    values: v.pipe(v.array(word), v.minLength(1), v.maxLength(50)),
    required: optional(v.literal(true)),
  }),
  v.strictObject({ about, kind: v.literal('number'), min: finite, max: finite }),
  v.strictObject({ about, kind: v.literal('text') }),
  v.strictObject({
    about,
    kind: v.literal('words'),
    pattern: v.pipe(
      v.string(),
      v.maxLength(1000),
      v.check((text) => isPattern(text), 'this is no regular expression'),
    ),
    write: about,
  }),
  v.strictObject({ about, kind: v.literal('sites') }),
]);

const declaration = v.variant('kind', [
  v.strictObject({ ...described, kind: v.picklist(['demand', 'allowance', 'flag']), fallback: v.boolean() }),
  v.strictObject({
    ...described,
    kind: v.literal('bound'),
    min: finite,
    max: finite,
    integer: optional(v.boolean()),
    fallback: optional(finite),
  }),
  v.strictObject({
    ...described,
    kind: v.picklist(['ranked', 'choice']),
    values: v.pipe(v.array(word), v.minLength(1), v.maxLength(50)),
    fallback: optional(word),
  }),
  v.strictObject({ ...described, kind: v.literal('text'), fallback: optional(v.string()) }),
  v.strictObject({
    ...described,
    kind: v.literal('records'),
    fields: v.pipe(v.record(fieldName, field), v.minEntries(1), v.maxEntries(20)),
    max: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_RECORDS)),
  }),
]);

const settingsSchema = v.pipe(
  v.record(name, v.pipe(v.record(name, declaration), v.minEntries(1), v.maxEntries(100))),
  v.maxEntries(20),
);

/**
 * Checks the settings that a manifest declares, and makes a {@link Setting} of each.
 *
 * @throws AppError `bad-manifest` naming the setting.
 */
export function settingsOf(declared: unknown): Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> {
  const outcome = v.safeParse(settingsSchema, declared);
  if (!outcome.success) {
    const [issue] = outcome.issues;
    throw refusal(v.getDotPath(issue) ?? '', issue.expected === 'never' ? 'there is no such key' : issue.message);
  }
  return mapped(outcome.output as PluginSettings, (section) =>
    mapped(section, (each, at) => {
      const setting = settingOf(each, at).needing(...(each.needs ? [each.needs] : []));
      if (setting.fallback !== undefined && !v.is(setting.schema, setting.fallback))
        throw refusal(at, "the fallback does not match the setting's schema");
      return setting;
    }),
  );
}

/**
 * Refuses settings of a third party that could be taken for those of another: its section must be named like the
 * plugin, and the client finds them under that name.
 *
 * @throws AppError `bad-manifest` naming the setting.
 */
export function checkDeclared({ id, settings }: Declaring & { readonly id: string }): void {
  if (settings === undefined) return;
  settingsOf(settings);
  const own = id.replaceAll('-', '_');
  for (const [section, declarations] of Object.entries(settings)) {
    if (section !== own) throw refusal(section, `the section of its settings must be named ${own}`);
    for (const [setting, { client = [] }] of Object.entries(declarations))
      for (const at of client)
        if (at !== `${own}.${setting}`)
          throw refusal(`${section}.${setting}`, `the client must get it as ${own}.${setting}`);
  }
}

/** Creates the error for a setting of a manifest that cannot be used. */
export function refusal(at: string, reason: string): AppError {
  return new AppError('bad-manifest', `manifest: settings${at === '' ? '' : `.${at}`}: ${reason}`);
}

const text = v.pipe(plainText, v.regex(/\S/, 'write a non-empty text'));

function settingOf(declared: SettingDeclaration, at: string): Setting<unknown> {
  const { about } = declared;
  if (declared.kind === 'records') return records(recordOf(declared.fields), declared.max, at, about);
  const { fallback } = declared;
  switch (declared.kind) {
    case 'demand':
      return demand(declared.fallback, about);
    case 'allowance':
      return allowance(declared.fallback, about);
    case 'flag':
      return free(v.boolean(), fallback, about);
    case 'bound': {
      const number = declared.integer ? v.pipe(v.number(), v.integer()) : v.number();
      return bound(v.pipe(number, v.minValue(declared.min), v.maxValue(declared.max)), fallback, about);
    }
    case 'ranked':
      return ranked(declared.values, declared.fallback, about);
    case 'choice':
      return free(v.picklist(declared.values), fallback, about);
    case 'text':
      return free(text, fallback, about);
  }
}

/** Schema of a record with these fields. */
function recordOf(fields: Readonly<Record<string, RecordField>>): v.GenericSchema<object> {
  const entries = mapped(fields, (each) => {
    const schema = v.pipe(fieldSchema(each), v.description(each.about));
    return each.kind === 'choice' && each.required ? schema : v.exactOptional(schema);
  });
  return v.strictObject(entries);
}

function fieldSchema(declared: RecordField): v.GenericSchema {
  switch (declared.kind) {
    case 'choice':
      return v.picklist(declared.values);
    case 'number':
      return v.pipe(v.number(), v.minValue(declared.min), v.maxValue(declared.max));
    case 'text':
      return text;
    case 'words':
      return wordsOf(v.pipe(v.string(), v.maxLength(MAX_WORD), v.regex(asWhole(declared.pattern), declared.write)));
    case 'sites':
      return wordsOf(sitePattern);
  }
}

const wordsOf = (word: v.GenericSchema): v.GenericSchema =>
  v.pipe(
    v.array(word),
    v.minLength(1, 'write at least one entry'),
    v.maxLength(MAX_WORDS, `write at most ${MAX_WORDS} entries`),
  );

const asWhole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

function isPattern(pattern: string): boolean {
  try {
    return asWhole(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

function mapped<T, R>(record: Readonly<Record<string, T>>, make: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}
