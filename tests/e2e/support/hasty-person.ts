import type { CDPSession, Page } from 'playwright/test';
import { randomNumbers } from '../../../core/testing/random.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One thing that somebody does who does not wait for the page. */
type Act =
  | { readonly click: Point; readonly count: number }
  | { readonly drag: readonly [from: Point, to: Point] }
  | { readonly type: string }
  | { readonly press: string }
  | { readonly pause: number };

/** A form of fields of many kinds, and what the person has done in it, in `#out`, once nothing changes any more. */
export const FORM = `<!doctype html><meta charset="utf-8"><title>form</title>
<style>
  html, body { margin: 8px; height: 700px; overflow: hidden; font: 14px sans-serif }
  input, textarea, [contenteditable] { font: 14px monospace }
  #out { position: fixed; top: 300px; height: 100px; overflow: hidden; font: 10px monospace; pointer-events: none; user-select: none }
</style>
<form onsubmit="return false"><input id="line" value="alpha beta"> <input id="search" type="search"> <input id="mail" type="email" value="x@y.zz"><br>
<textarea id="area" rows="3" cols="40">one two\nthree four</textarea><br>
<div contenteditable id="rich" style="border: 1px solid; width: 400px; min-height: 40px">rich <b>bold</b> text</div>
<label><input type="checkbox" id="box"> box</label> <label><input type="radio" name="of" id="first"> first</label>
<label><input type="radio" name="of" id="second"> second</label>
<button id="add" type="button">add</button> <button id="send">send</button> <a href="#here" id="link">link</a>
<input id="upper"> <input id="number" type="number" value="5"> <span id="rows"></span></form><pre id="out"></pre>
<script>
  const at = (id) => document.getElementById(id);
  const heard = [];
  let sent = 0, same = 0, last = '';
  at('upper').addEventListener('input', ({ target }) => {
    const caret = target.selectionStart;
    target.value = target.value.toUpperCase();
    target.setSelectionRange(caret, caret);
  });
  at('add').addEventListener('click', () => {
    const row = document.createElement('input');
    row.id = 'row' + at('rows').children.length;
    at('rows').append(row);
    row.focus();
  });
  document.forms[0].addEventListener('submit', () => { sent++; });
  for (const type of ['focus', 'blur', 'change', 'input', 'click', 'dblclick', 'keydown', 'mousedown', 'mouseup'])
    addEventListener(type, ({ type, key, inputType, detail, target }) => {
      heard.push([type, target.id, key ?? inputType ?? detail].join(' '));
    }, true);
  setInterval(() => {
    const now = state(document.documentElement) + '|sent=' + sent + '|' + heard.join('\\n');
    same = now === last ? same + 1 : 0;
    last = now;
    if (same === 15) at('out').textContent = now;
    else if (same === 0) at('out').textContent = '';
  }, 50);
  ${state.toString()}
</script>`;

/** The values, the focus and the selections of a document by its root, as a text. */
export function state({ ownerDocument: document }: Element): string {
  const isText = (element: Element | null): element is HTMLInputElement =>
    !!element && 'value' in element && !['box', 'first', 'second', 'number', 'add', 'send'].includes(element.id);
  const controls = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
  const values = controls.map(
    ({ id, type, checked, value }) => `${id}=${/^(?:checkbox|radio)$/.test(type) ? checked : value}`,
  );
  const active = document.activeElement;
  const caret = isText(active) ? `${active.selectionStart}-${active.selectionEnd}` : '';
  const rich = document.querySelector<HTMLElement>('#rich')?.innerText ?? '';
  return [
    ...values,
    `rich=${rich}`,
    `focus=${active?.id ?? ''} ${caret}`,
    `selected=${String(document.getSelection())}`,
  ].join('|');
}

const PLACES = 'line line search mail area area rich rich box first second add send link upper number'.split(' ');
const TEXTS = ['hello', 'the ', 'x', 'Ab c', '12', '.'];
const KEYS =
  'Tab Tab Shift+Tab ArrowLeft ArrowRight ArrowUp ArrowDown Backspace Delete Enter Control+a Shift+ArrowLeft Shift+Home Control+z Escape Control+ArrowLeft'.split(
    ' ',
  );
const PAUSES_MS = [0, 0, 30, 60, 120, 300];
/** After a press from which a drag begins: another one within this time would count with it. */
const APART_MS = 900;

/** Acts by chance, as many as asked for, in boxes of elements by their id. */
export function someActs(count: number, seed: number, boxes: Readonly<Record<string, DOMRect>>): Act[] {
  const next = randomNumbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!; // less than its length
  const point = (id: string): Point => {
    const { x, y, width, height } = boxes[id]!; // one of the form
    return { x: Math.round(x + 3 + next() * (width - 6)), y: Math.round(y + 3 + next() * (height - 6)) };
  };
  const act = (): Act[] => {
    const kind = next();
    if (kind < 0.3) return [{ click: point(pick(PLACES)), count: 1 }];
    if (kind < 0.37) return [{ click: point(pick(['line', 'area', 'rich', 'upper'])), count: 2 }];
    if (kind < 0.43) {
      const id = pick(['line', 'area', 'rich']);
      const from = point(id);
      // Selected text there would be moved by it.
      return [{ click: from, count: 1 }, { pause: APART_MS }, { drag: [from, point(id)] }];
    }
    return [kind < 0.7 ? { type: pick(TEXTS) } : { press: pick(KEYS) }];
  };
  return Array.from({ length: count }, () => [...act(), { pause: pick(PAUSES_MS) }]).flat();
}

/** Does them, with the pauses between them that they say. */
export async function act(page: Page, acts: readonly Act[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const each of acts)
    if ('click' in each) await page.mouse.click(each.click.x, each.click.y, { delay: 20, clickCount: each.count });
    else if ('drag' in each) await drag(session, page, ...each.drag);
    else if ('type' in each) await page.keyboard.type(each.type, { delay: 25 });
    else if ('press' in each) await page.keyboard.press(each.press, { delay: 20 });
    else await page.waitForTimeout(each.pause);
}

/** The runner's own way listens in all frames for a drag, which frames without scripts never answer. */
async function drag(session: CDPSession, page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (const part of [0.25, 0.5, 0.75, 1])
    await session.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
      button: 'left',
      buttons: 1,
    });
  await page.mouse.up();
}
