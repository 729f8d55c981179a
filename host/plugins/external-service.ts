import * as v from 'valibot';
import { readSchema } from './threads/read-plugin.ts';

/** Largest built service half, in UTF-16 units. */
const MAX_HALF_UNITS = 16 * 1024 * 1024;

/** A service half from outside the build, as its process is given it. */
export const externalServiceSchema = v.object({
  folder: v.pipe(v.string(), v.maxLength(4096)),
  read: readSchema,
  /** The built half. */
  service: v.pipe(v.string(), v.maxLength(MAX_HALF_UNITS)),
});
export type ExternalService = v.InferOutput<typeof externalServiceSchema>;
