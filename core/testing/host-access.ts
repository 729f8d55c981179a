import type { HostScope } from '../../host/plugin.ts';
import type { OptionDeclaration, OptionValue } from '../contracts/declared.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import { AppError } from '../protocol/errors.ts';

/** Counters and events of one plugin under test. */
export interface RecordedByPlugin {
  readonly counts: ReadonlyMap<string, number>;
  readonly events: readonly (readonly [file: string, event: unknown])[];
}

/** Options and records of a plugin under test: options have their fallbacks unless `given`. */
export function testAccess(
  { options = {}, metrics = {}, eventFiles = {} }: AnyManifest,
  given: Readonly<Record<string, OptionValue>> = {},
): Pick<HostScope, 'options' | 'records'> & { readonly recorded: RecordedByPlugin } {
  const fallbackOf = (declaration: OptionDeclaration): OptionValue =>
    declaration.kind === 'switch' ? false : declaration.kind === 'texts' ? [] : declaration.fallback;
  const fallbacks = Object.entries(options).map(([name, declaration]) => [name, fallbackOf(declaration)] as const);
  const counts = new Map<string, number>();
  const events: [string, unknown][] = [];
  const check = (declared: object, name: string): void => {
    if (!Object.hasOwn(declared, name)) throw new AppError('not-declared', `the manifest does not declare ${name}`);
  };
  return {
    options: { ...Object.fromEntries(fallbacks), ...given },
    records: {
      count: (metric, by = 1) => {
        check(metrics, metric);
        counts.set(metric, (counts.get(metric) ?? 0) + by);
      },
      append: (file, event) => {
        check(eventFiles, file);
        events.push([file, JSON.parse(JSON.stringify(event))]);
      },
    },
    recorded: { counts, events },
  };
}
