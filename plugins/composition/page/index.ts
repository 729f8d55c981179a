import { dom, focusedElement } from '../../../core/page.ts';
import type { ActivatePage, Kernel, ResultOf } from '../../../core/page.ts';
import { pageCaret, pageEnded, pagePatch, pageSelect, pageState } from '../protocol.ts';
import { TextEdits } from './text-edits.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** A composition in this frame, and the text that its last step has left, where a page cannot change that without ending it. */
interface Composed {
  readonly element: Element;
  value?: string;
}

/** Tells the host how what it composes fares in this frame: Chromium ends a composition whose field loses the focus or gets another value. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  let composed: Composed | undefined;
  const isComposing = (): boolean => {
    if (!composed) return false;
    const { element, value } = composed;
    if (dom.isConnected(element) && (value === undefined || (element as Control).value === value)) return true; // only controls have one
    composed = undefined;
    return false;
  };
  kernel.listen('compositionstart', (event) => {
    const element = elementOf(event);
    composed = element && { element };
  });
  kernel.listen('compositionend', () => {
    if (!composed) return;
    composed = undefined;
    commands.send(pageEnded, undefined);
  });
  kernel.listen('input', (event) => {
    if (!composed || !event.isTrusted) return;
    if (isControl(composed.element)) composed.value = composed.element.value;
    // The page's own listeners have run by then.
    setTimeout(() => {
      if (composed && !isComposing()) commands.send(pageEnded, undefined);
    });
  });

  commands.handle(pageSelect, ({ before, after }): ResultOf<typeof pageSelect> => ({
    isDone: select(kernel, before, after),
  }));
  const edits = new TextEdits(kernel);
  commands.handle(pagePatch, (params): ResultOf<typeof pagePatch> => ({ shift: edits.select(params) }));
  commands.handle(pageCaret, () => edits.restore());
  commands.handle(pageState, ({ isFlushed }): ResultOf<typeof pageState> => {
    if (isFlushed) kernel.flush();
    return { isComposing: isComposing(), ...kernel.position() };
  });
};

function elementOf(event: Event): Element | undefined {
  const target = event.composedPath()[0] ?? null;
  return dom.isNode(target) && dom.isElement(target) ? target : undefined;
}

function isControl(element: Element): element is Control {
  return dom.isHtml(element, 'input') || dom.isHtml(element, 'textarea');
}

/** Selects more, or less, around the selection. Returns false where there is no such text. */
function select(kernel: Kernel, before: number, after: number): boolean {
  const element = focusedElement(kernel);
  if (!element) return false;
  if (isControl(element)) {
    const { selectionStart, selectionEnd, value } = element;
    if (selectionStart === null || selectionEnd === null) return false;
    const [start, end] = [selectionStart - before, selectionEnd + after];
    if (start < 0 || end > value.length || start > end) return false;
    element.setSelectionRange(start, end);
    return true;
  }
  const selection = getSelection();
  const shadowRoots = [...kernel.roots()].filter((root): root is ShadowRoot => root !== document);
  const [range] = selection?.getComposedRanges({ shadowRoots }) ?? [];
  if (!selection || !range) return false;
  const { startContainer, endContainer } = range;
  const [start, end] = [range.startOffset - before, range.endOffset + after];
  // Within one text: further is not what input methods go.
  if (startContainer !== endContainer || !dom.isText(startContainer) || start < 0 || start > end) return false;
  if (end > startContainer.data.length) return false;
  selection.setBaseAndExtent(startContainer, start, startContainer, end);
  return true;
}
