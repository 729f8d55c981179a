import { OPENED_BY, pathOfPage, withOwnParameter } from '../../../core/protocol/shell-address.ts';

/** The host's path for a window of the page: with the token, by which its tab claims it, before the fragment. */
export function openedPath(url: string, prefix: string, token: string): string {
  return withOwnParameter(pathOfPage(/^https?:\/\//i.test(url) ? url : 'about:blank', prefix), OPENED_BY, token);
}
