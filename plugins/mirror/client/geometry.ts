import type { Box, Target } from '../../../core/index.ts';
import { asElement, boxOf, parentOf, read, shadowOf, typeOf } from './dom.ts';
import type { MirrorDocument } from './mirror-document.ts';

/** Returns the position of the document's viewport in the shell's, in CSS px. */
export function originOf(document: Document): { readonly x: number; readonly y: number } {
  let x = 0;
  let y = 0;
  for (let frame = document.defaultView?.frameElement; frame; frame = frame.ownerDocument.defaultView?.frameElement) {
    const box = boxOf(frame);
    const style = frame.ownerDocument.defaultView?.getComputedStyle(frame);
    x += box.x + frame.clientLeft + parseFloat(style?.paddingLeft ?? '0');
    y += box.y + frame.clientTop + parseFloat(style?.paddingTop ?? '0');
  }
  return { x, y };
}

/** Returns the boxes of a node in the shell's viewport, in CSS px. */
export function boxesOf(node: Node): Box[] {
  const document = read(Node, node, 'ownerDocument') ?? (node as Document); // only documents have no owner
  const element = asElement(node) ?? asElement(read(Document, document, 'documentElement'));
  let rects: DOMRectList;
  if (typeOf(node) === 3) {
    const range = Document.prototype.createRange.call(document);
    range.selectNode(node);
    rects = range.getClientRects();
  } else if (element) rects = Element.prototype.getClientRects.call(element);
  else return [];
  const origin = originOf(document);
  return [...rects].map(({ x, y, width, height }) => ({ x: x + origin.x, y: y + origin.y, width, height }));
}

/** Returns the target at a point of the document's viewport: the innermost of the given nodes that has an id, and the place in its box. */
export function targetAt(mirror: MirrorDocument, node: Node | null, x: number, y: number): Target {
  const place = { frame: mirror.frame, epoch: mirror.epoch, x, y };
  for (let at = node; at; at = parentOf(at) ?? hostOf(at)) {
    const id = mirror.tree.idOf(at);
    const element = asElement(at);
    if (id === undefined || !element || mirror.tree.node(id) !== at) continue;
    const box = boxOf(element);
    return { ...place, node: id, offset: { x: x - box.x, y: y - box.y, width: box.width, height: box.height } };
  }
  return place;
}

/** Returns the innermost element at a point of the document's viewport, shadow trees included. */
export function elementAt(document: Document, x: number, y: number): Element | null {
  let element = Document.prototype.elementFromPoint.call(document, x, y);
  while (element) {
    const inner: Element | null | undefined = shadowOf(element)?.elementFromPoint(x, y);
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
}

const hostOf = (node: Node): Element | null =>
  typeOf(node) === 11 ? read(ShadowRoot, node as ShadowRoot, 'host') : null; // no other fragment has targets
