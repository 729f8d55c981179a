import { imageType } from '../../../host/plugin.ts';

/** Longest name of a picture's file, in UTF-16 units. */
const MAX_NAME = 100;

/** The file's name in an address, with the suffix of its type where it has none. */
export function nameOf(url: string, bytes: Uint8Array): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  const name = decoded(last).slice(-MAX_NAME) || 'picture';
  const suffix = imageType(bytes)
    ?.replace(/^image\/(?:x-)?/, '')
    .replace(/\+.*$/, '');
  return /\.\w{1,5}$/.test(name) || suffix === undefined ? name : `${name}.${suffix}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
