import { dom, isOpaque } from '../../../core/page.ts';
import type { ActivatePage, ResultOf } from '../../../core/page.ts';
import { digestOf, pageDigest, pageMark, withoutSpaces } from '../protocol.ts';

/** Longest wait for the page's next frame, in ms: a page that is hidden draws none. */
const LONGEST_FRAME_MS = 100;

/** Tells the host how far the mirror is with what the person has typed, and what text the page has. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  commands.handle(pageMark, async ({ isRich }): Promise<ResultOf<typeof pageMark>> => {
    // Editors of rich text change it in the next frame at the latest; a control has changed by now.
    if (isRich) await nextFrame();
    kernel.flush();
    return kernel.position();
  });
  commands.handle(pageDigest, ({ target: { epoch, node = 0 } }): ResultOf<typeof pageDigest> => {
    const element = epoch === kernel.epoch ? kernel.nodeOf(node) : undefined;
    const text = element && dom.nodeType(element) === 1 ? textOf(element as Element) : undefined; // by its type
    const digest = text === undefined ? undefined : digestOf(text);
    if (!digest) return null;
    kernel.flush();
    return { ...digest, ...kernel.position() };
  });
};

function textOf(element: Element): string | undefined {
  if (dom.isHtml(element, 'textarea')) return element.value;
  if (!dom.isHtml(element, 'input'))
    return (element as Partial<HTMLElement>).isContentEditable ? withoutSpaces(richText(element)) : undefined;
  // The view shows bullets, as many as there are units.
  return element.type === 'password' ? '•'.repeat(element.value.length) : element.value;
}

/** The text of an element as the view has it: without what is in styles, scripts and other elements whose content is no part of the tree. */
function richText(root: Element): string {
  let text = '';
  let node: Node | null = root;
  while (node) {
    if (dom.isText(node)) text += dom.data(node);
    let next: Node | null = dom.isElement(node) && isOpaque(node) ? null : dom.firstChild(node);
    while (!next && node && node !== root) {
      next = dom.nextSibling(node);
      node = dom.parentNode(node);
    }
    node = next;
  }
  return text;
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
