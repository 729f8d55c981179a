import { copyFolders } from './folder-copy.ts';

/**
 * Copies an unpacked extension to a folder that surrogates can read, once per content. Chromium ignores an unreadable
 * extension without a report.
 *
 * @returns the copy's folder, `extensions`/{hash of the content}; it is never removed.
 */
export function copyExtension(source: string, extensions: string): Promise<string> {
  return copyFolders({ '': source }, extensions);
}
