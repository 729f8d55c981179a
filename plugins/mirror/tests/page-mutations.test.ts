import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageBrowser } from './page-browser.ts';
import type { MirroredPage } from './page-browser.ts';

/** Polls that find all shadow roots, on a machine whose polls find one at a time. */
const MOST_POLLS = 30;

/** One random mutation; numbers select nodes by their index among all. */
interface Mutation {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const KINDS = [
  'insert',
  'insertDeep',
  'comment',
  'remove',
  'move',
  'moveBefore',
  'swap',
  'wrap',
  'unwrap',
  'reverse',
  'rotate',
  'inner',
  'attribute',
  'unattribute',
  'text',
  'split',
  'normalize',
  'attach',
  'opaque',
];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  a: fc.nat(999),
  b: fc.nat(999),
  c: fc.nat(999),
});

/** Runs mutations in the page; nodes are those below the body, in order, in shadow roots too. */
function mutate(mutations: readonly Mutation[]): void {
  const all = (root: Node): Node[] =>
    [...root.childNodes].flatMap((node) => {
      const shadow = (node as Element).shadowRoot;
      return [node, ...(shadow ? [shadow, ...all(shadow)] : []), ...all(node)];
    });
  const isElement = (node: Node): node is Element => node.nodeType === 1;
  const make = (seed: number): Element => {
    const svg = 'http://www.w3.org/2000/svg';
    const names = ['div', 'span', 'p', 'b', 'x-y', 'section'];
    const element =
      seed % 7 === 0 ? document.createElementNS(svg, 'g') : document.createElement(names[seed % names.length]!);
    element.setAttribute('n', String(seed));
    return element;
  };
  for (const { kind, a, b, c } of mutations) {
    const nodes = all(document.body);
    const parents: (Element | ShadowRoot)[] = [document.body];
    for (const node of nodes) if (isElement(node) || node.nodeType === 11) parents.push(node as Element);
    const node = nodes[a % (nodes.length || 1)];
    const parent = parents[b % parents.length]!;
    const place = parent.childNodes[c % (parent.childNodes.length + 1)] ?? null;
    const movable = node && node.nodeType !== 11 && !node.contains(parent) && !hosts(node, parent) ? node : undefined;
    switch (kind) {
      case 'insert':
        parent.insertBefore(c % 3 ? make(a) : document.createTextNode(`t${a}`), place);
        break;
      case 'insertDeep': {
        const element = make(a);
        element.append('x', make(b), make(c));
        element.lastElementChild!.append(make(a), 'y');
        parent.insertBefore(element, place);
        break;
      }
      case 'comment':
        parent.insertBefore(document.createComment('c'), place);
        break;
      case 'remove':
        if (node && node.nodeType !== 11) node.parentNode!.removeChild(node);
        break;
      case 'move':
        if (movable) parent.append(movable);
        break;
      case 'moveBefore':
        if (movable && place !== movable) parent.insertBefore(movable, place);
        break;
      case 'swap': {
        const child = node && isElement(node) ? node.firstElementChild : null;
        if (!child) break;
        node!.parentNode!.insertBefore(child, node!);
        child.append(node!);
        break;
      }
      case 'wrap': {
        const wrapper = make(a);
        wrapper.append(...parent.childNodes);
        parent.append(wrapper);
        break;
      }
      case 'unwrap':
        if (node && isElement(node)) node.replaceWith(...node.childNodes);
        break;
      case 'reverse':
        parent.append(...[...parent.childNodes].reverse());
        break;
      case 'rotate':
        if (parent.firstChild) parent.append(parent.firstChild);
        break;
      case 'inner':
        if (isElement(parent)) parent.innerHTML = '<i>1</i>2<b>3<u>4</u></b>';
        break;
      case 'attribute':
        if (isElement(parent)) parent.setAttribute(['class', 'title', 'data-a'][a % 3]!, String(c % 4));
        break;
      case 'unattribute':
        if (isElement(parent)) parent.removeAttribute(['class', 'title', 'data-a'][a % 3]!);
        break;
      case 'text':
        if (node?.nodeType === 3) node.nodeValue = `new ${c}`;
        break;
      case 'split':
        if (node?.nodeType === 3) (node as Text).splitText((node as Text).length >> 1);
        break;
      case 'normalize':
        parent.normalize();
        break;
      case 'attach':
        if (isElement(parent) && ['div', 'span', 'x-y'].includes(parent.localName) && !parent.shadowRoot)
          parent.attachShadow({ mode: 'open' }).append(make(a), 'shadow');
        break;
      case 'opaque': {
        const script = document.createElement('noscript');
        script.append(make(a));
        parent.insertBefore(script, place);
        if (movable && movable !== script && c % 2) script.append(movable);
        break;
      }
      default:
        throw new Error(kind);
    }
  }
  function hosts(outer: Node, inner: Node): boolean {
    for (let at: Node | null | undefined = inner; at; at = at.parentNode ?? (at as Partial<ShadowRoot>).host)
      if (at === outer) return true;
    return false;
  }
}

let browser: PageBrowser;
let mirrored: MirroredPage;
beforeAll(async () => {
  browser = await PageBrowser.launch();
  mirrored = await browser.open('<!doctype html><body><p>1</p>text<div><b>2</b></div></body>');
});
afterAll(() => browser.close());

describe('random mutations', () => {
  it('[M-002] result in the same tree, in any order', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(mutation, { minLength: 1, maxLength: 12 }), { maxLength: 4 }),
        async (flushes) => {
          await mirrored.page.evaluate(() => {
            document.body.replaceChildren('text', document.createElement('div'));
            for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name);
          });
          await mirrored.restart();
          for (const mutations of flushes) await mirrored.change(mutate, mutations);
          // Polling finds shadow roots of elements that were sent before, some at a time.
          const hasShadows = flushes.flat().some(({ kind }) => kind === 'attach');
          for (let polls = 0; hasShadows && polls < MOST_POLLS; polls++) {
            await mirrored.wait(130);
            if (isDeepStrictEqual(mirrored.tree.outline(), await mirrored.real())) break;
          }
          expect(mirrored.tree.outline()).toEqual(await mirrored.real());
        },
      ),
      { numRuns: Number(process.env.VITRINE_RUNS ?? 40), seed: 20260101 },
    );
  });
});
