/** Counters and event files of plugins. */

/** Largest event, in UTF-16 units of JSON. */
export const MAX_EVENT_UNITS = 2000;

/** The counters and event files that the manifest declares. */
export interface Records {
  /**
   * Adds `by`, a whole number of at least 0, to a counter; 1 unless given. `/metrics` has the sum within about a second.
   *
   * @throws AppError `not-declared`, `bad-message`
   */
  count(metric: string, by?: number): void;
  /**
   * Appends a line to an event file: the event beside the time and the person, which the host adds. It is written within about a second;
   * past the rate of a person events are dropped and counted as a fault `events-dropped`.
   *
   * @param event plain JSON of at most {@link MAX_EVENT_UNITS}.
   * @throws AppError `not-declared`, `bad-message`
   */
  append(eventFile: string, event: Readonly<Record<string, unknown>>): void;
}
