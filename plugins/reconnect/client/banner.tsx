import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { BannerProps } from './index.ts';

/** A small bar at the top edge that shows when the tab reloads (S-011). */
export default function ReconnectBanner({ text }: BannerProps): ReactNode {
  const shown = useSyncExternalStore(text.subscribe, text.get);
  return shown === '' ? null : (
    <div className="vitrine-banner" role="status">
      {shown}
    </div>
  );
}
