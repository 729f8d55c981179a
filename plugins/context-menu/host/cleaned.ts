import { withoutOwnParameters } from '../../../core/protocol/shell-address.ts';
import { MAX_ADDRESS } from '../limits.ts';
import type { Found } from '../protocol.ts';

/** Schemes of links whose address may be copied. */
const LINKS = /^(?:https?|mailto|tel):/;
const PICTURES = /^https?:/;

/** Facts of a page, with addresses that are of these schemes, in the form of the URL standard, or empty. */
export function cleaned({ link, picture, ...rest }: Found): Found {
  return {
    ...rest,
    ...(link !== undefined && { link: addressOf(link, LINKS) }),
    ...(picture !== undefined && { picture: addressOf(picture, PICTURES) }),
  };
}

function addressOf(text: string, schemes: RegExp): string {
  const url = URL.parse(text);
  if (!url || !schemes.test(url.protocol)) return '';
  const address = withoutOwnParameters(url.href);
  return address.length > MAX_ADDRESS ? '' : address;
}
