import type { Settings } from './settings.ts';

/** Action for the traffic of a session (S-070). */
export type BandwidthAction = 'allow' | 'warn' | 'exceed' | 'block';

const MEGABYTE = 1_000_000;

/** Returns the action for a number of bytes to and from sites; thresholds that are not set are never reached. */
export function bandwidthAction(bytes: number, thresholds: Settings['bandwidth']): BandwidthAction {
  const isPast = (megabytes: number | undefined): boolean => megabytes !== undefined && bytes >= megabytes * MEGABYTE;
  if (isPast(thresholds.block_megabytes)) return 'block';
  if (isPast(thresholds.exceed_megabytes)) return 'exceed';
  return isPast(thresholds.warn_megabytes) ? 'warn' : 'allow';
}
