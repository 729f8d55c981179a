import type { ReactElement } from 'react';
import { useSyncExternalStore } from 'react';
import type { LoadingAddressProps } from './loading.ts';

/** The address that the page is loading, in the corner where browsers show it. */
export default function LoadingAddress({ address }: LoadingAddressProps): ReactElement {
  const shown = useSyncExternalStore(address.subscribe, address.get);
  return (
    <div className="loading-address" role="status" dir="ltr">
      {shown}
    </div>
  );
}
