/** Records of plugins as a cell, or the process of a service half, sends them to the gateway. */
import * as v from 'valibot';
import { MAX_EVENT_UNITS } from '../contracts/records.ts';

/** Events in one notice, and their units of JSON together. */
export const MAX_SENT_EVENTS = 100;
export const MAX_SENT_UNITS = 128 * 1024;
/** Sum of one counter in one notice. */
export const MAX_COUNT = 1_000_000_000;
const MAX_LIST = 2000;

const name = v.pipe(v.string(), v.maxLength(100));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_COUNT));

export const recordsSchema = v.object({
  counts: v.pipe(v.array(v.object({ plugin: name, name, by: count })), v.maxLength(MAX_LIST)),
  /** Each event as JSON. */
  events: v.pipe(
    v.array(v.object({ plugin: name, file: name, event: v.pipe(v.string(), v.maxLength(MAX_EVENT_UNITS)) })),
    v.maxLength(MAX_SENT_EVENTS),
  ),
  /** Events that plugins have appended past their bound. */
  dropped: v.pipe(v.array(v.object({ plugin: name, count })), v.maxLength(MAX_LIST)),
});
export type SentRecords = v.InferOutput<typeof recordsSchema>;
export type SentEvent = SentRecords['events'][number];
