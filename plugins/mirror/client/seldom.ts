import { OP } from '../ops.ts';
import type { Op } from '../ops.ts';
import { asElement, isHtml, nameOf, typeOf } from './dom.ts';
import { highlight } from './highlights.ts';
import type { MirrorDocument } from './mirror-document.ts';
import { refer } from './references.ts';
import type { Stream } from './stream.ts';
import { setTopLayer } from './top-layer.ts';
import { follow } from './transitions.ts';
import type { Tree } from './tree.ts';

/**
 * Applies an op that few pages need; the stream stands behind its code. Resolves when the document may be changed further.
 *
 * @throws RangeError when the op is malformed.
 */
export async function applySeldom(
  { realm, tree, sheets }: Pick<MirrorDocument, 'realm' | 'tree' | 'sheets'>,
  op: Op,
  stream: Stream,
): Promise<void> {
  const [code, id = 0, kind = 0] = op;
  if (code === OP.highlight) {
    highlight(realm, stream.text(), op, (node) => tree.node(node));
    return;
  }
  stream.next(); // the element, or the phase
  if (code === OP.transition) {
    await follow(realm.document, id, rest(stream));
    return;
  }
  const element = asElement(tree.known(id));
  if (!element) return;
  switch (code) {
    case OP.top:
      setTopLayer(sheets, element, kind);
      return;
    case OP.refer: {
      const others = op.slice(3).flatMap((other) => tree.element(other) ?? []);
      refer(element, kind, others);
      return;
    }
    case OP.assign:
      assign(tree, element, op.slice(2));
      return;
    case OP.states:
      setStates(element, rest(stream));
      return;
    case OP.validity:
      setValidity(element, stream.text());
  }
}

/** The strings that are left of an op. */
function rest(stream: Stream): string[] {
  const texts: string[] = [];
  while (!stream.isAtEnd) texts.push(stream.text());
  return texts;
}

function assign(tree: Tree, slot: Element, ids: readonly number[]): void {
  if (!isHtml(slot, 'slot')) return;
  const nodes = ids.map((id) => tree.node(id)).filter((node) => node !== undefined && [1, 3].includes(typeOf(node)));
  HTMLSlotElement.prototype.assign.call(slot as HTMLSlotElement, ...(nodes as (Element | Text)[])); // by their types
}

/** An element gives its internals once. */
const internals = new WeakMap<Element, ElementInternals>();

function internalsOf(element: Element): ElementInternals {
  const known = internals.get(element) ?? HTMLElement.prototype.attachInternals.call(element as HTMLElement);
  internals.set(element, known);
  return known;
}

function setStates(element: Element, named: readonly string[]): void {
  const { states } = internalsOf(element);
  states.clear();
  for (const state of named) states.add(state);
}

/** A custom validity message, which `:invalid` goes by. */
function setValidity(element: Element, message: string): void {
  if (nameOf(element).includes('-')) internalsOf(element).setValidity({ customError: message !== '' }, message);
  else if (isHtml(element, 'input', 'textarea', 'select', 'button', 'output', 'fieldset'))
    (element as HTMLInputElement).setCustomValidity(message); // all of these have it
}
