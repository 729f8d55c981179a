import type { Settings } from './settings.ts';

/** What a session's traffic comes to (S-070). */
export type BandwidthAction = 'allow' | 'warn' | 'exceed' | 'block';

const MEGABYTE = 1_000_000;

/** The action for so many bytes to and from sites; thresholds that are not set are never reached. */
export function bandwidthAction(bytes: number, thresholds: Settings['bandwidth']): BandwidthAction {
  const isPast = (megabytes: number | undefined): boolean => megabytes !== undefined && bytes >= megabytes * MEGABYTE;
  if (isPast(thresholds.block_megabytes)) return 'block';
  if (isPast(thresholds.exceed_megabytes)) return 'exceed';
  return isPast(thresholds.warn_megabytes) ? 'warn' : 'allow';
}
