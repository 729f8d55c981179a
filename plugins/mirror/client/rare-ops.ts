import type { OP } from '../ops.ts';
import { isHtml, nameOf, typeOf } from './dom.ts';
import { highlight } from './highlights.ts';
import type { MirrorDocument } from './mirror-document.ts';
import type { OpHandlers, RareName, ReadText, TextIndex } from './op-handlers.ts';
import { refer } from './references.ts';
import { setTopLayer } from './top-layer.ts';
import { follow } from './transitions.ts';
import type { Tree } from './tree.ts';

/** Their codes, tied to the table by type only: using the table's object here would move its names onto the boot path. */
const CODE = {
  top: 15,
  states: 16,
  validity: 21,
  assign: 27,
  highlight: 28,
  transition: 31,
  refer: 32,
} as const satisfies Pick<typeof OP, RareName>;

/** Returns the handlers of ops that few pages use. */
export function rareOps({
  realm,
  tree,
  sheets,
}: Pick<MirrorDocument, 'realm' | 'tree' | 'sheets'>): OpHandlers<RareName> {
  return {
    elements: {
      [CODE.top]: (element, [, , kind]) => setTopLayer(sheets, element, kind),
      [CODE.refer]: (element, [, , relation, ...ids]) => {
        const others = ids.flatMap((id) => tree.element(id) ?? []);
        refer(element, relation, others);
      },
      [CODE.assign]: (slot, [, , ...ids]) => assign(tree, slot, ids),
      [CODE.states]: (element, [, , ...states], text) => setStates(element, textsOf(states, text)),
      [CODE.validity]: (element, [, , message], text) => setValidity(element, text(message) ?? ''),
    },
    others: {
      [CODE.highlight]: ([, name, priority, kind, ...ends], text) =>
        highlight(realm, text(name) ?? '', priority, kind, ends, (id) => tree.node(id)),
      [CODE.transition]: ([, phase, ...types], text) => follow(realm.document, phase, textsOf(types, text)),
    },
  };
}

function textsOf(indexes: readonly TextIndex[], text: ReadText): string[] {
  return indexes.map((index) => text(index) ?? '');
}

function assign(tree: Tree, slot: Element, ids: readonly number[]): void {
  if (!isHtml(slot, 'slot')) return;
  const nodes = ids.map((id) => tree.node(id)).filter((node) => node !== undefined && [1, 3].includes(typeOf(node)));
  HTMLSlotElement.prototype.assign.call(slot as HTMLSlotElement, ...(nodes as (Element | Text)[])); // by their types
}

/** `attachInternals` works once per element. */
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

/** Sets a custom validity message, on which `:invalid` depends. */
function setValidity(element: Element, message: string): void {
  if (nameOf(element).includes('-')) internalsOf(element).setValidity({ customError: message !== '' }, message);
  else if (isHtml(element, 'input', 'textarea', 'select', 'button', 'output', 'fieldset'))
    (element as HTMLInputElement).setCustomValidity(message); // all of these have the method
}
