/** Access of a plugin's halves to the whole host, whichever person or tab they serve. */
import type { OptionValue } from '../../core/contracts/declared.ts';
import type { Records } from './records.ts';
import type { ServiceClient } from './service-scope.ts';

/** Access of one plugin to the host. `O`: values of its options. */
export interface HostAccess<O = Readonly<Record<string, OptionValue>>> {
  /** The plugin's service half. */
  readonly service: ServiceClient;
  /** Values of the options that its manifest declares. */
  readonly options: O;
  readonly records: Records;
}
