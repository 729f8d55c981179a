import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** What pages may ask a person for. A question that nobody is shown would be waited for without end: it is answered with no. */
const DENIED = [
  'camera',
  'microphone',
  'geolocation',
  'notifications',
  'midi',
  'clipboard-read',
  'persistent-storage',
  'local-fonts',
  'window-management',
  'idle-detection',
  'display-capture',
  'speaker-selection',
  'keyboard-lock',
  'captured-surface-control',
  'hand-tracking',
  'smart-card',
  'web-app-installation',
];

/** What is set once for a whole browser, before its first page: nothing is downloaded, nothing is granted. */
export function setBrowserDefaults(root: CdpSession): void {
  quietly(root.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: false }));
  // A name that this Chromium does not know is refused, and needs no denying.
  for (const name of DENIED) quietly(root.send('Browser.setPermission', { permission: { name }, setting: 'denied' }));
}
