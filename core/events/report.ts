import type { CoreEvent } from './catalogue.ts';

/** Sends a client event of the core. */
export type Report = (
  name: CoreEvent,
  data?: Readonly<Record<string, unknown>>,
  options?: { readonly level?: 'info' | 'warning' | 'error'; readonly force?: boolean },
) => void;
