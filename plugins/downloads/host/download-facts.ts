import { frameAddresses } from '../../../host/plugin.ts';
import type { SessionTab, SurrogateDownload } from '../../../host/plugin.ts';
import { CANCEL } from '../protocol.ts';
import type { CancelReason } from '../protocol.ts';
import type { DownloadPolicy } from './download-item.ts';

export const MIB = 1024 * 1024;

/** Reasons by the codes of errors. */
export const REASONS: Readonly<Record<string, CancelReason>> = {
  'file-too-large': CANCEL.tooLarge,
  'disk-full': CANCEL.diskFull,
  'downloads-full': CANCEL.noRoom,
  'download-canceled': CANCEL.interrupted,
  'download-changed': CANCEL.interrupted,
};
export const NAMES: Readonly<Record<CancelReason, string>> = {
  [CANCEL.user]: 'canceled',
  [CANCEL.tooLarge]: 'too-large',
  [CANCEL.interrupted]: 'interrupted',
  [CANCEL.host]: 'host-failed',
  [CANCEL.diskFull]: 'disk-full',
  [CANCEL.noRoom]: 'no-room',
};

/** The size that is allowed, in MiB, where a download was past it. `data`: of the error. */
export function mostOf(reason: CancelReason, data: unknown, policy: DownloadPolicy): number | undefined {
  if (reason === CANCEL.tooLarge) return policy.max_download_megabytes;
  const { most } = Object(data) as { readonly most?: unknown };
  return reason === CANCEL.noRoom && typeof most === 'number' ? Math.floor(most / MIB) : undefined;
}

/** An advertising script makes downloads of this name that no person has asked for (M-056). */
export const isSpurious = ({ name }: SurrogateDownload): boolean => /^pubmatic(?:\.\w+)?$/.test(name);

/** Addresses of the page, of the frame that it comes from, and of the file. Those of documents are read before anything is awaited. Never rejects. */
export async function addressesOf(
  { tab, frame, url }: SurrogateDownload,
  source: SessionTab,
): Promise<readonly string[]> {
  const page = source.url();
  if (!tab || frame === undefined) return [page, url];
  const frames = new Map(tab.frames().map((each) => [each.id, each]));
  const own = await frameAddresses(
    { url: page, get: (id) => frames.get(id), originOf: (id) => tab.originOf(id) },
    frame,
  );
  return [page, ...own, url];
}

/** Host and port of an address; empty for one without. */
export function siteOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host.slice(0, 300);
}
