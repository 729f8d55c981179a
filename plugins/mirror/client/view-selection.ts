import type { ViewSelection } from '../../../core/index.ts';
import { activeIn, asElement, isHtml, parentOf, read, shadowOf, typeOf } from './dom.ts';
import type { MirrorDocument } from './mirror-document.ts';

type What = ViewSelection['what'];
type Control = HTMLInputElement | HTMLTextAreaElement;

/** The selection in a document of the view, see `Editing.selection`. */
export function selectionIn(mirror: MirrorDocument): ViewSelection | undefined {
  const { controls, frame, epoch, realm } = mirror;
  if (controls.held.node) return undefined;
  const active = activeIn(realm.document) ?? undefined;
  const what = isControl(active) ? inControl(mirror, active) : inDocument(mirror, active);
  return what && { frame, epoch, what };
}

function inControl({ controls, focus, tree }: MirrorDocument, control: Control): What | undefined {
  const { selectionStart: start, selectionEnd: end, value, defaultValue } = control;
  const id = tree.idOf(control);
  const [of, pageStart, pageEnd] = focus.page.caret ?? [];
  if (id === undefined || start === null || end === null || of !== control || focus.page.element !== control)
    return undefined;
  if (start === end) return undefined; // the page's caret counts: what is typed goes there
  const isSame = start === pageStart && end === pageEnd;
  return isSame || value !== (controls.said(control) ?? defaultValue) ? undefined : { control: id, start, end };
}

function inDocument(mirror: MirrorDocument, active: Element | undefined): What | undefined {
  const { document } = mirror.realm;
  const { range: page } = mirror.focus.page;
  const selection = Document.prototype.getSelection.call(document);
  const [range] = selection?.getComposedRanges({ shadowRoots: shadowRoots(document) }) ?? [];
  if (!selection || !range || selection.rangeCount === 0) return page && 'nothing';
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const isBackward = selection.direction === 'backward';
  const start = [startContainer, startOffset] as const;
  const end = [endContainer, endOffset] as const;
  const [anchor, focus] = isBackward ? [end, start] : [start, end];
  if (page && same(anchor, [page.anchor, page.anchorOffset]) && same(focus, [page.focus, page.focusOffset]))
    return undefined;
  if (range.collapsed) {
    if (isEditable(startContainer)) return undefined; // the page's caret counts: what is typed goes there
    const hasRange = page && !same([page.anchor, page.anchorOffset], [page.focus, page.focusOffset]);
    return hasRange ? 'caret' : undefined;
  }
  // One in a text control that the person has left: as a composed range it is around the control.
  if (selection.isCollapsed && isControl(childrenOf(startContainer)[startOffset])) return undefined;
  const points = [pointOf(mirror, ...anchor), pointOf(mirror, ...focus)] as const;
  if (!points[0] || !points[1]) return undefined;
  return { anchor: points[0], focus: points[1], isBackward, active: (active && mirror.tree.idOf(active)) ?? 0 };
}

const same = (a: readonly [Node, number], b: readonly [Node, number]): boolean => a[0] === b[0] && a[1] === b[1];

const isControl = (node: Node | undefined): node is Control => isHtml(asElement(node), 'input', 'textarea');

const childrenOf = (node: Node): Node[] => [...read(Node, node, 'childNodes')];

/** The point as the page counts: children that the page does not have are left out. */
function pointOf({ tree }: MirrorDocument, node: Node, offset: number): readonly [number, number] | undefined {
  const id = tree.idOf(node);
  if (id === undefined || tree.node(id) !== node) return undefined;
  if (typeOf(node) === 3) return [id, offset];
  const children = childrenOf(node).slice(0, offset);
  return [id, children.filter((child) => tree.idOf(child) !== undefined).length];
}

function isEditable(node: Node): boolean {
  const element = asElement(node) ?? asElement(parentOf(node));
  return (
    element !== undefined &&
    'isContentEditable' in element &&
    read(HTMLElement, element as HTMLElement, 'isContentEditable')
  );
}

/** All shadow roots: a selection in one that is not named is reported as one of its host. */
function shadowRoots(root: Document | ShadowRoot): ShadowRoot[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const shadow = shadowOf(element);
    return shadow ? [shadow, ...shadowRoots(shadow)] : [];
  });
}
