import type { Page } from 'playwright/test';
import { randomNumbers } from '../../../core/testing/random.ts';

/** One thing that somebody who edits does. */
type Step = { readonly type: string } | { readonly press: string };

const WORDS = [
  'the ',
  'quick ',
  'brown',
  ' fox',
  'jumps ',
  'over',
  'a ',
  'lazy',
  ' dog. ',
  'naïve ',
  'Ünder',
  'x',
  '(a) ',
  '42, ',
];
const KEYS = [
  ...[
    'Backspace',
    'Backspace',
    'Backspace',
    'Delete',
    'ArrowLeft',
    'ArrowLeft',
    'ArrowLeft',
    'ArrowRight',
    'ArrowRight',
  ],
  ...['Home', 'End', 'Enter', 'ArrowUp', 'ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight', 'Control+Backspace'],
];

/** Editing by chance: as many actions as asked for, half of them words. */
export function someEditing(count: number, seed: number, isOneLine: boolean): Step[] {
  const next = randomNumbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!; // less than its length
  const keys = isOneLine ? KEYS.filter((key) => !/Enter|Up|Down/.test(key)) : KEYS;
  return Array.from({ length: count }, () => (next() < 0.4 ? { type: pick(WORDS) } : { press: pick(keys) }));
}

/** Edits as fast as people type who hurry, `pauseMs` between keys. */
export async function edit(page: Page, steps: readonly Step[], pauseMs: number): Promise<void> {
  for (const step of steps) {
    if ('type' in step) await page.keyboard.type(step.type, { delay: pauseMs });
    else await page.keyboard.press(step.press, { delay: pauseMs });
  }
}

/**
 * Script of a page that writes what its editor has into `output`, as `text` with `|` at the caret, a while after the last change; the
 * shortest time between two keys into its `data-closest`, in ms; and how many looks have found the same text into its `data-same`, 10 at most.
 */
export const TELL = `
  const textAt = () => {
    let scope = document;
    let active = document.activeElement;
    if (active instanceof HTMLIFrameElement) { scope = active.contentDocument; active = scope.activeElement; }
    if (active === document.body) return '';
    if ('value' in active) return active.value.slice(0, active.selectionStart) + '|' + active.value.slice(active.selectionStart);
    const host = active.closest('[contenteditable="true"], body');
    const selection = scope.getSelection();
    if (!selection.focusNode) return host.innerText;
    const range = scope.createRange();
    range.selectNodeContents(host);
    range.setEnd(selection.focusNode, selection.focusOffset);
    const before = range.toString();
    const text = host.textContent;
    return (text.slice(0, before.length) + '|' + text.slice(before.length)).replaceAll('\\u00a0', ' ').replace(/[\\u200b\\ufeff]/g, '');
  };
  let [last, closest] = [-Infinity, Infinity];
  const listening = new Set();
  const listen = (scope) => {
    if (!scope || listening.has(scope)) return;
    listening.add(scope);
    scope.addEventListener('keydown', () => {
      closest = Math.min(closest, performance.now() - last);
      last = performance.now();
      document.querySelector('output').dataset.closest = closest;
    }, true);
  };
  listen(document);
  let same = 0;
  setInterval(() => {
    listen(document.querySelector('iframe')?.contentDocument);
    const output = document.querySelector('output');
    const text = JSON.stringify(textAt());
    same = text === output.textContent ? Math.min(same + 1, 10) : 0;
    output.textContent = text;
    output.dataset.same = same;
  }, 50);`;
