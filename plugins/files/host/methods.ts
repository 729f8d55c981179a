/** Methods of the service half. */
import * as v from 'valibot';
import { FILE_KINDS, serviceMethod } from '../../../host/plugin.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const key = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const ownFile = { key };
const MAX_KEEP_MS = 31 * 24 * 60 * 60_000;
/** Longest password of an archive, in UTF-16 units. */
const MAX_PASSWORD = 256;

/** Time for one part of a file to arrive, in ms: larger files come in several. */
export const PART_MS = 5 * 60_000;

export const begin = serviceMethod('begin', {
  params: v.object({
    name: v.pipe(v.string(), v.maxLength(255)),
    direction: v.picklist(['down', 'up']),
    keepMs: v.pipe(count, v.maxValue(MAX_KEEP_MS)),
  }),
  result: v.object({ key }),
});
/** Body: the bytes. */
export const append = serviceMethod('append', {
  params: v.object({ ...ownFile, offset: count, maxBytes: count }),
  result: v.object({ size: count }),
  deadlineMs: PART_MS + 60_000,
});
/** Size of a file whose sender was cut. */
export const sizeOf = serviceMethod('size-of', { params: v.object(ownFile), result: v.object({ size: count }) });
export const complete = serviceMethod('complete', {
  params: v.object(ownFile),
  result: v.object({ size: count, sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)) }),
});
/** The body of the answer has lines of JSON: {@link judgedSchema}, of which the last one has the findings. */
export const judge = serviceMethod('judge', {
  params: v.object({
    ...ownFile,
    scan: v.boolean(),
    open: v.boolean(),
    password: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_PASSWORD))),
  }),
  result: v.object({}),
});
/** Bytes from `first`, up to and without `end`, as the body of the answer. */
export const read = serviceMethod('read', {
  params: v.object({ ...ownFile, first: count, end: count }),
  result: v.object({}),
});
export const remove = serviceMethod('remove', { params: v.object(ownFile), result: v.object({}) });
const address = v.pipe(v.string(), v.maxLength(2000));
const detail = v.pipe(v.string(), v.maxLength(1000));
/** Facts about a quarantined file, for administrators. */
const quarantineFacts = v.object({
  type: detail,
  verdict: detail,
  finding: detail,
  reason: detail,
  rule: v.exactOptional(detail),
  addresses: v.pipe(v.array(address), v.maxLength(100)),
});
/** Longest quarantine, in days. */
const MAX_DAYS = 365;
/** Keeps a complete file for so many days, and serves it to nobody. Where that cannot be done, it has to be removed. */
export const quarantine = serviceMethod('quarantine', {
  params: v.object({ ...ownFile, days: v.pipe(count, v.minValue(1), v.maxValue(MAX_DAYS)), facts: quarantineFacts }),
  result: v.object({}),
});
/** Removes all files of the session. */
export const leave = serviceMethod('leave', { params: v.object({}), result: v.object({}) });

const short = v.pipe(v.string(), v.maxLength(1000));
const checks = v.pipe(
  v.array(
    v.object({
      plugin: short,
      status: v.picklist(['PENDING', 'FINISHED', 'FAILED']),
      result: v.exactOptional(v.picklist(['clean', 'infected', 'not-scanned', 'suspicious'])),
      detail: v.exactOptional(short),
    }),
  ),
  v.maxLength(100),
);

/** A line of the answer of {@link judge}. */
export const judgedSchema = v.object({
  checks,
  findings: v.exactOptional(
    v.object({
      type: v.object({ mime: short, extension: short, group: v.picklist(FILE_KINDS) }),
      verdict: v.picklist(['clean', 'infected', 'not-scanned', 'encrypted']),
      reason: short,
      isLocked: v.boolean(),
      scanners: count,
      checks,
    }),
  ),
});
export type Judged = v.InferInput<typeof judgedSchema>;
