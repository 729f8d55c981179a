import type { ActivateExtension } from '../../../core/extension.ts';

const MAX_ADDRESS_UNITS = 4096;

interface DownloadItem {
  /** Its first address, and its last one. */
  readonly url: string;
  readonly finalUrl: string;
}
interface Api {
  readonly downloads: { readonly onCreated: { addListener(listener: (item: DownloadItem) => void): void } };
}

/** Tells the first address of each download, as the browser's process knows it: CDP has the last one alone. */
export const activate: ActivateExtension = ({ call }) => {
  const { downloads } = (globalThis as typeof globalThis & { readonly chrome: Api }).chrome;
  downloads.onCreated.addListener(({ url, finalUrl }) => {
    if (!/^https?:/.test(finalUrl)) return;
    call({ url: cut(finalUrl), first: cut(url) }).catch(() => undefined); // the person has no downloads
  });
};

const cut = (address: string): string => address.slice(0, MAX_ADDRESS_UNITS);
