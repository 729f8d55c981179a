import type { LinkBody } from '../link/api.ts';

/** A body with its headers. */
export interface Resource {
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body, in bytes. */
  readonly size: number;
  readonly body: Uint8Array | LinkBody;
}
