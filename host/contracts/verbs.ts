/** Contract of verbs: commands of the `vitrine` command line that a plugin of the build adds, `vitrine <plugin> <verb>`. They run as the administrator. */

/** Scope of a verb. */
export interface VerbScope {
  /** Its arguments, less those that all verbs have: `--data DIR`. */
  readonly args: readonly string[];
  /** Writes a line for the administrator. */
  print(line: string): void;
  /** The events of a file that the manifest declares, the oldest first: none where nothing has been recorded. @throws AppError `not-declared` */
  events(file: string): AsyncIterable<RecordedEvent>;
  /**
   * Folder in which the service half keeps files. A host may run on it. @throws AppError `not-declared` unless the manifest has `storage`;
   * `bad-option` where there is none yet
   */
  storage(): string;
}

/** A line of an event file. Pages may have chosen what stands in the event. */
export interface RecordedEvent {
  /** Time, as ISO 8601 text. */
  readonly at: string;
  readonly person?: string;
  readonly tenant?: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A verb. */
export interface Verb {
  /** Arguments after its name: `[--site TEXT]`. */
  readonly usage: string;
  readonly about: string;
  /** @throws AppError with a message for the person; `bad-option` for invalid arguments. */
  run(scope: VerbScope): Promise<void>;
}

/** `host/verbs.ts` exports `verbs`, by name: those that the manifest names. */
export type Verbs = Readonly<Record<string, Verb>>;
