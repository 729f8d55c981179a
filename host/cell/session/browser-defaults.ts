import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** Permissions that are denied by default. No prompt is shown to anybody, so the page would wait for an answer forever. */
const DENIED = [
  'camera',
  'microphone',
  'geolocation',
  'notifications',
  'midi',
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

/** Sets what holds for a whole browser, before its first page: nothing is downloaded, nothing is granted. `denied`: more names of permissions. */
export function setBrowserDefaults(root: CdpSession, denied: readonly string[]): void {
  quietly(root.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: false }));
  // A name that this Chromium does not know is refused, and needs no denying.
  for (const name of [...DENIED, ...denied])
    quietly(root.send('Browser.setPermission', { permission: { name }, setting: 'denied' }));
}
