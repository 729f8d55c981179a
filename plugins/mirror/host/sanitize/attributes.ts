import { isInlineImage, linkAddress, localFragment, NO_RESOURCE, resourceAddress } from './addresses.ts';
import type { AddressContext } from './addresses.ts';
import { sanitizeFamilies, sanitizeFragment } from './css.ts';
import { hidesMember } from './document-names.ts';
import { FORM_ACTION, META_NAMES, TEXT_LIKE_TYPES, UNANIMATED } from './policy.ts';
import type { Rule } from './policy.ts';

/** Takes up the space of an image that has not been loaded. */
export const NO_PICTURE_YET =
  'data:image/svg+xml,%3Csvg%20xmlns=%27http://www.w3.org/2000/svg%27%20width=%270%27%20height=%270%27/%3E';

/** Whether an attribute makes an image lazy-loaded. */
export function isLazy(name: string, value: string): boolean {
  return name.toLowerCase() === 'loading' && value.toLowerCase() === 'lazy';
}

const BULLET = '\u2022';
/** Has no width: fills up a character of several units. */
const FILLER = '\u2060';
/** Longest password of which characters are counted as browsers do, in UTF-16 units. */
const MAX_COUNTED_UNITS = 1000;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns what browsers show instead of a password, a bullet for each character, as long as that in UTF-16 units: carets stay right. */
export function bullets(value: string): string {
  if (value.length > MAX_COUNTED_UNITS || !/[\u0300-\uffff]/.test(value)) return BULLET.repeat(value.length);
  return Array.from(characters.segment(value), ({ segment }) => BULLET + FILLER.repeat(segment.length - 1)).join('');
}

const POPOVER_COMMAND = /^(?:toggle|show|hide)-popover$/i;

/** Returns the sanitized value of an attribute, or undefined when it is dropped. */
export function safeValue(rule: Rule, value: string, context: AddressContext): string | undefined {
  switch (rule) {
    case 'keep':
      return value;
    case 'drop':
      return undefined;
    case 'image':
      return value.trim() === '' ? '' : resourceAddress('i', value, context);
    case 'later':
      return isInlineImage(value.trim()) ? resourceAddress('i', value, context) : NO_PICTURE_YET;
    case 'image-or-fragment':
      return localFragment(value, context) ?? safeValue('image', value, context);
    case 'fragment':
    case 'use':
      return localFragment(value, context);
    case 'link':
      return linkAddress(value, context);
    case 'style':
    case 'media':
      return sanitizeFragment(value, context);
    case 'css':
      return /[(\\]/.test(value) ? sanitizeFragment(value, context) : value;
    case 'families':
      return sanitizeFamilies(value, context);
    case 'action':
      return FORM_ACTION;
    case 'input-type':
      return TEXT_LIKE_TYPES.has(value.toLowerCase()) ? 'text' : value;
    case 'type-marker':
      return TEXT_LIKE_TYPES.has(value) ? value : undefined;
    case 'is':
      return /^[a-z][a-z0-9]*-[\w.-]*$/.test(value) ? value : undefined;
    case 'name':
      return hidesMember(value) ? undefined : value;
    case 'target':
      return value.toLowerCase() === '_blank' ? '_blank' : undefined;
    case 'off':
    case 'false':
      return rule;
    case 'bullets':
      return bullets(value);
    case 'meta-name':
      return META_NAMES.has(value.trim().toLowerCase()) ? value : undefined;
    case 'meta-content':
      return /[/\\]/.test(value) ? undefined : value;
    case 'command':
      return POPOVER_COMMAND.test(value) ? value : undefined;
    case 'animated':
      return mayAnimate(value) ? value : undefined;
  }
}

/** Picture of an image that shows none: nothing to load. With an address that fails at once, Firefox would keep the last picture. */
const UNREADABLE = 'data:image/png,';

/** Returns the sanitized picture of an image or canvas, with an optional density after its address; empty for none. */
export function safePicture(picture: string, context: AddressContext): string {
  const density = / \d{1,4}(?:\.\d{1,6})?x$/.exec(picture)?.[0] ?? '';
  const address = picture.slice(0, picture.length - density.length);
  if (address === '' || address === UNREADABLE) return address;
  const safe = resourceAddress('i', address, context);
  return safe === NO_RESOURCE ? UNREADABLE : safe + density;
}

/** Whether an animation may set an attribute. */
export function mayAnimate(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return /^[a-z][a-z0-9-]*$/.test(lower) && !UNANIMATED.has(lower) && !lower.startsWith('on');
}
