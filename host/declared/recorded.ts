/** Checks of what manifests declare beside halves and settings: options, counters and event files. */
import * as v from 'valibot';
import type { OptionDeclaration, Recorded } from '../../core/contracts/declared.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';

/** Number of options, counters and event files that one plugin may declare. */
const MAX_EACH = 20;

const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'a name in kebab case'), v.maxLength(50));
/** Text for a terminal: one line, without control characters. */
const line = v.pipe(v.string(), v.regex(/^\P{Cc}*$/u, 'one line of text'));
const about = v.pipe(line, v.minLength(1), v.maxLength(300));
const placeholder = v.pipe(v.string(), v.regex(/^[A-Z][A-Z-]{0,29}$/, 'a word in capitals'));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const only = v.exactOptional(v.literal('service'));
const common = { flag: v.exactOptional(name), only, about };
const pattern = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.check((source) => isPattern(source), 'the source of a regular expression'),
);
const option = v.variant('kind', [
  v.strictObject({ kind: v.literal('switch'), ...common }),
  v.pipe(
    v.strictObject({
      kind: v.literal('number'),
      unit: placeholder,
      min: whole,
      max: whole,
      fallback: whole,
      ...common,
    }),
    v.check(({ min, max, fallback }) => min <= fallback && fallback <= max, 'the fallback is between min and max'),
  ),
  v.strictObject({
    kind: v.literal('text'),
    value: placeholder,
    fallback: v.pipe(line, v.maxLength(1000)),
    ...common,
  }),
  v.strictObject({ kind: v.literal('texts'), value: placeholder, pattern: v.exactOptional(pattern), ...common }),
]);
const some = <T>(each: v.GenericSchema<T>) =>
  v.exactOptional(
    v.pipe(
      v.record(name, each),
      v.check((given) => Object.keys(given).length <= MAX_EACH, `at most ${MAX_EACH}`),
    ),
  );
const schema = v.object({
  options: some<OptionDeclaration>(option),
  metrics: some<string>(about),
  eventFiles: some<string>(about),
});

/** Refuses a manifest whose options, counters or event files are none. @throws AppError `bad-manifest` naming the field. */
export function checkRecorded(manifest: Pick<AnyManifest, 'options' | 'metrics' | 'eventFiles'>): void {
  const outcome = v.safeParse(schema, manifest);
  if (outcome.success) return;
  const [issue] = outcome.issues;
  const reason = issue.expected === 'never' ? 'there is no such key' : issue.message;
  throw new AppError('bad-manifest', `manifest: ${v.getDotPath(issue) ?? 'root'}: ${reason}`);
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source));
  } catch {
    return false;
  }
}

/** Name of a counter in `/metrics`. */
export function metricName(plugin: string, metric: string): string {
  return `vitrine_plugin_${plugin}_${metric}_total`.replaceAll('-', '_');
}

/** A plugin that declares something. */
export type Recording = Pick<AnyManifest, 'id' | 'metrics' | 'eventFiles'>;

/** The counters or event files of all plugins: by plugin, then by name. Versions of one plugin have them together. */
export function recordedBy(
  manifests: readonly Recording[],
  which: 'metrics' | 'eventFiles',
): ReadonlyMap<string, Recorded> {
  const all = new Map<string, Recorded>();
  for (const manifest of manifests)
    if (manifest[which]) all.set(manifest.id, { ...all.get(manifest.id), ...manifest[which] });
  return all;
}
