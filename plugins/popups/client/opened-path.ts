import { BLANK_PAGE, OPENED_BY } from '../../../core/index.ts';

/** The host's path for a window of the page: with the token, by which its tab claims it, before the fragment. */
export function openedPath(url: string, prefix: string, token: string): string {
  const [before = '', ...hash] = (/^https?:\/\//i.test(url) ? url : BLANK_PAGE).split('#');
  const fragment = hash.length > 0 ? `#${hash.join('#')}` : '';
  return `${prefix}${before}${before.includes('?') ? '&' : '?'}${OPENED_BY}=${token}${fragment}`;
}
