import type { EditMeans } from '../protocol/edit-means.ts';
import type { Target } from '../protocol/target.ts';
import type { Kernel } from '../contracts/kernel.ts';
import type { Endpoint } from '../protocol/endpoint.ts';
import { AppError } from '../protocol/errors.ts';
import { focusTarget, resolveTarget, scrollTo, setValue } from '../protocol/page-messages.ts';
import { dom } from './dom.ts';
import { firstPaint } from './first-paint.ts';
import { ScrollEnds } from './scroll-ends.ts';
import { nodeOf, resolve } from './targets.ts';

/** Applies the person's edits in the view to the page. */
export function handleEdits(endpoint: Endpoint, kernel: Kernel): void {
  const look = (): void => {
    if (!document.hidden) void firstPaint(); // another is not painted
  };
  look();
  document.addEventListener('visibilitychange', look);
  endpoint.handle(resolveTarget, async ({ target }) => {
    await firstPaint();
    return resolve(kernel, target);
  });
  const ends = new ScrollEnds();
  endpoint.handle(scrollTo, ({ target, left, top }) => {
    const options: ScrollToOptions = { left, top, behavior: 'instant' };
    const node = target.node === undefined ? document : nodeOf(kernel, target);
    if (!node) return;
    ends.step(node);
    if (dom.isElement(node)) dom.scrollTo(node, options);
    else if (node === document) window.scrollTo(options);
  });
  endpoint.handle(setValue, ({ target, by, value }) => setControl(elementOf(kernel, target), by, value));
  endpoint.handle(focusTarget, ({ target }) => {
    if (target.node === undefined) blur();
    else (elementOf(kernel, target) as HTMLElement).focus({ preventScroll: true }); // SVG and MathML elements have `focus` too
  });
}

function elementOf(kernel: Kernel, target: Target): Element {
  const node = nodeOf(kernel, target);
  if (!node || !dom.isElement(node)) throw new AppError('no-target', 'the target no longer exists');
  return node;
}

function blur(): void {
  const focused = dom.activeElement(document) as HTMLElement | null; // SVG and MathML elements have `blur` too
  focused?.blur();
}

/** Sets a control by the browser's own means; does nothing where it has none of these means. */
function setControl(pressed: Element, by: EditMeans, value: string): void {
  if (by === 'select') {
    const list = listAround(pressed);
    if (list) select(list, value);
  } else if (dom.isHtml(pressed, 'input') && hasMeans(pressed, by, value)) write(pressed, value);
}

const PICKERS = /^(?:date|datetime-local|month|time|week)$/;

/** Whether the person can give an input a value by these means. No text field takes a whole value but of the page's own list. */
function hasMeans(input: HTMLInputElement, by: EditMeans, value: string): boolean {
  if (by === 'slider') return input.type === 'range';
  if (by === 'picker') return PICKERS.test(input.type);
  return [...(input.list?.options ?? [])].some((option) => option.value === value);
}

/** The select list that an element is, or is an option of. */
function listAround(element: Element): HTMLSelectElement | undefined {
  for (let node: Node | null = element; node; node = dom.parentNode(node)) if (dom.isHtml(node, 'select')) return node;
  return undefined;
}

/** Bypasses the page's own `value` property, so that a framework that watches it detects the change. */
function write(control: HTMLInputElement, value: string): void {
  if (control.value === value || control.disabled || control.readOnly) return;
  control.value = value;
  announce(control);
}

function select(control: HTMLSelectElement, value: string): void {
  if (control.disabled) return;
  const wanted = new Set(value.split(',').map(Number));
  let changed = false;
  for (const [index, option] of [...control.options].entries()) {
    const selected = value !== '' && wanted.has(index) && !option.disabled;
    changed ||= option.selected !== selected;
    if (control.multiple || selected) option.selected = selected;
  }
  if (changed) announce(control);
}

function announce(control: Element): void {
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}
