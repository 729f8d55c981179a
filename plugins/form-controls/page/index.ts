import { dom, focusedElement } from '../../../core/page.ts';
import type { ActivatePage } from '../../../core/page.ts';
import { pageOver, pageReport } from '../protocol.ts';
import { problemOf } from './problem.ts';
import type { Control } from './problem.ts';

/** Most calls within each other that are counted: a page could send more by itself. */
const MOST_CALLS = 100;
/** Events after which nothing is shown any more. */
const ENDS = ['input', 'change', 'focusout'];
const NAMES = ['input', 'textarea', 'select', 'button', 'output', 'object', 'fieldset'] as const;

/**
 * Reports the control at which the browser shows why it does not send a form: of those with an `invalid` event that the page has not
 * prevented, the one that the browser has focused. Elements of the page's own are left out: only they know their messages.
 */
export const activate: ActivatePage = ({ commands, kernel, main }) => {
  /** Calls of the page that are under way, the last one innermost. */
  const calls: string[] = [];
  let refused: Event[] = [];
  let shown: Element | undefined;

  const over = (): void => {
    if (shown) commands.send(pageOver, undefined);
    shown = undefined;
  };
  const report = (): void => {
    const focused = focusedElement(kernel);
    const isShown = refused.some((event) => !event.defaultPrevented && targetOf(event) === focused);
    refused = [];
    if (!focused || !isShown || !isControl(focused)) return;
    const problem = problemOf(focused);
    if (!problem) return;
    kernel.flush();
    shown = focused;
    commands.send(pageReport, { ...problem, node: kernel.idOf(focused), ...kernel.position() });
  };
  main.on('begin', (name) => {
    if (calls.length < MOST_CALLS) calls.push(name);
  });
  main.on('end', () => void calls.pop());
  kernel.listen('invalid', (event) => {
    if (calls.at(-1) === 'check' || !event.isTrusted) return;
    // The browser has moved the focus by then, and all listeners of the page have run.
    if (refused.length === 0) setTimeout(report);
    refused.push(event);
  });
  for (const type of ENDS)
    kernel.listen(type, (event) => {
      if (shown && targetOf(event) === shown) over();
    });
};

function targetOf(event: Event): EventTarget | null {
  return event.composedPath()[0] ?? event.target;
}

function isControl(element: Element): element is Control {
  return NAMES.some((name) => dom.isHtml(element, name));
}
