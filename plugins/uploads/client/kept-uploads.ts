import type { KeptUpload } from './uploads.ts';

type Given<T> = Partial<Record<keyof T, unknown>>;
type Ended = NonNullable<KeptUpload['ended']>;

const isEnd = (value: unknown): value is Ended['state'] =>
  value === 'done' || value === 'blocked' || value === 'failed';

/** Validates a row that an earlier document of the tab has kept. Undefined: it is none. */
export function readKept(value: unknown): KeptUpload | undefined {
  const { name, count, size, ended } = Object(value) as Given<KeptUpload>;
  if (typeof name !== 'string' || typeof count !== 'number' || typeof size !== 'number') return undefined;
  const { state, reason, message, most } = Object(ended) as Given<Ended>;
  if (!isEnd(state)) return { name, count, size };
  const why = { ...(typeof reason === 'string' && { reason }), ...(typeof message === 'string' && { message }) };
  return { name, count, size, ended: { state, ...why, ...(typeof most === 'number' && { most }) } };
}
