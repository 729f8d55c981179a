import { dom } from '../../../core/page.ts';
import { MAX_ADDRESS } from '../limits.ts';
import type { Found, Item } from '../protocol.ts';

/** Inputs into which nobody types text. */
const UNTYPED = /^(?:button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

/** Facts about the innermost element of an event's path: links around it, the picture that it is, the edits that are possible. */
export function factsAt(path: readonly EventTarget[]): Found {
  const elements = path.filter((each): each is Element => dom.isNode(each) && dom.isElement(each));
  const [target] = elements;
  const link = elements.map(linkOf).find((address) => address !== undefined);
  const picture = target && pictureOf(target);
  const field = target && fieldOf(target);
  const selection = field?.selection ?? isSelected(target);
  return {
    ...(link !== undefined && { link: bounded(link) }),
    ...(picture !== undefined && { picture: bounded(picture) }),
    editable: field !== undefined,
    selection,
    edits: editsOf(field, selection),
  };
}

/** Whether a part of an element is selected. */
function isSelected(element: Element | undefined): boolean {
  const selection = getSelection();
  return element !== undefined && selection?.type === 'Range' && selection.containsNode(element, true);
}

const bounded = (address: string): string => (address.length > MAX_ADDRESS ? '' : address);

function linkOf(element: Element): string | undefined {
  if (dom.isHtml(element, 'a') || dom.isHtml(element, 'area'))
    return dom.hasAttribute(element, 'href') ? element.href : undefined;
  return dom.localName(element) === 'a' ? absolute(element) : undefined;
}

function pictureOf(element: Element): string | undefined {
  if (dom.isHtml(element, 'img')) return element.currentSrc || element.src;
  if (dom.isHtml(element, 'area')) return pictureOfMap(element);
  if (dom.isHtml(element, 'input')) return element.type === 'image' ? element.src : undefined;
  return dom.localName(element) === 'image' ? absolute(element) : undefined;
}

/** The address of the picture that an area is a part of: the first one with its map, as in Chromium's menu. */
function pictureOfMap(area: Element): string | undefined {
  let map: Node | null = area;
  while (map && !dom.isHtml(map, 'map')) map = dom.parentNode(map);
  const name = map && dom.attribute(map, 'name');
  if (name === null || name === '') return undefined;
  const image = dom.all(document, 'img[usemap]').find((each) => dom.attribute(each, 'usemap') === `#${name}`);
  return image && pictureOf(image);
}

/** The absolute address that an element of SVG has. */
function absolute(element: Element): string | undefined {
  const address = dom.attribute(element, 'href') ?? dom.attribute(element, 'xlink:href');
  return address === null ? undefined : (URL.parse(address, dom.base(element))?.href ?? '');
}

interface Field {
  readonly selection: boolean;
  readonly isReadOnly: boolean;
  readonly isSecret: boolean;
}

/** The text field that an element is, or is in. */
function fieldOf(element: Element): Field | undefined {
  if (dom.isHtml(element, 'textarea') || (dom.isHtml(element, 'input') && !UNTYPED.test(element.type))) {
    const { selectionStart: start, selectionEnd: end } = element;
    // Numbers and addresses do not say where their selection is.
    const selection = start === null ? String(getSelection()) !== '' : start !== end;
    const isReadOnly = element.readOnly || element.disabled;
    return { selection, isReadOnly, isSecret: element.type === 'password' };
  }
  const { isContentEditable } = element as Partial<HTMLElement>;
  if (isContentEditable !== true) return undefined;
  return { selection: getSelection()?.type === 'Range', isReadOnly: false, isSecret: false };
}

/** Nothing of a password is copied. */
function editsOf(field: Field | undefined, selection: boolean): Item[] {
  // A property of the document could be an element of the page.
  const can = (command: string): boolean => Document.prototype.queryCommandEnabled.call(document, command);
  const isEdited = field?.isReadOnly === false;
  const copies = selection && field?.isSecret !== true;
  const edits: readonly (readonly [Item, boolean])[] = [
    ['undo', isEdited && can('undo')],
    ['redo', isEdited && can('redo')],
    ['cut', isEdited && copies],
    ['copy', copies],
    ['paste', isEdited],
    ['select-all', can('selectAll')],
  ];
  return edits.flatMap(([edit, isPossible]) => (isPossible ? [edit] : []));
}
