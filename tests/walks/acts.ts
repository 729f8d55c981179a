import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';

/** An act of a person with mouse or keyboard, and the element for the record. */
interface Act {
  readonly title: string;
  readonly run: (page: Page) => Promise<void>;
}

/** A place that a person may press, in CSS pixels of the viewport. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly element: string;
}

interface Offer {
  readonly places: readonly Place[];
  /** Whether a text field or an editor has the focus. */
  readonly types: boolean;
  /** Whether a key opens a surface of the browser's own, which no picture shows. */
  readonly opensByKey: boolean;
}

const WORDS = ['abc ', 'x', 'Hello 12', '(', 'zz', '42'];
const KEYS = [
  ...['Tab', 'Shift+Tab', 'Enter', 'Escape', 'Space', 'PageDown', 'Home', 'End'],
  ...['ArrowUp', 'ArrowDown', 'ArrowRight', 'Shift+ArrowRight'],
  ...['Backspace', 'Delete', 'Control+a', 'Control+z'],
];
/** Keys of somebody who has no mouse: Tab most of the time. */
const KEYBOARD_KEYS = [
  ...['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Enter', 'Enter', 'Space', 'Space', 'Escape'],
  ...['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home', 'End', 'PageDown', 'PageUp'],
  ...['Shift+ArrowDown', 'Shift+ArrowLeft', 'Control+ArrowRight', 'Control+ArrowLeft', 'Control+Home', 'Control+End'],
  ...['Backspace', 'Delete', 'Control+Backspace', 'Control+a', 'Control+z', 'Control+y', 'Control+b', 'Control+Enter'],
  ...['F2', 'Alt+F10', 'Control+Space'],
];
/** Keys that open such a surface. */
const OPENERS = new Set(['Enter', 'Space', 'Control+Enter', 'Control+Space', 'F2']);
/** Movements of a drag, and the time between two of them, in ms. */
const DRAG_STEPS = 12;
const DRAG_STEP_MS = 25;
/** Distances of a wheel, in CSS pixels. */
const TURNS = [-300, 200, 500];

/** Draws the next act of somebody who uses the keyboard alone; as `nextAct`. */
export async function nextPress(direct: Page, random: () => number): Promise<Act> {
  const { types, opensByKey } = await direct.evaluate(offerOf);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const lot = random();
  const word = pick(WORDS) ?? '';
  const keys = opensByKey ? KEYBOARD_KEYS.filter((key) => !OPENERS.has(key)) : KEYBOARD_KEYS;
  const key = pick(keys) ?? '';
  if (types && lot < 0.3) return act(`type "${word}"`, ({ keyboard }) => keyboard.type(word, { delay: 20 }));
  return act(`press ${key}`, ({ keyboard }) => keyboard.press(key));
}

/** Draws the next act from what the page offers, opened directly; `random` returns numbers from 0 to 1. */
export async function nextAct(direct: Page, random: () => number): Promise<Act> {
  const { places, types } = await direct.evaluate(offerOf);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const { x, y, element } = pick(places) ?? { x: 100, y: 100, element: 'nothing' };
  const at = `${element} at ${x},${y}`;
  const lot = random();
  const word = pick(WORDS) ?? '';
  const key = pick(KEYS) ?? '';
  const turn = pick(TURNS) ?? 0;
  if (types && lot < 0.35) return act(`type "${word}"`, ({ keyboard }) => keyboard.type(word, { delay: 20 }));
  if (lot < 0.65) return act(`click ${at}`, ({ mouse }) => mouse.click(x, y));
  if (lot < 0.72) return act(`move to ${at}`, ({ mouse }) => mouse.move(x, y, { steps: 2 }));
  if (lot < 0.78) return act(`double click ${at}`, ({ mouse }) => mouse.dblclick(x, y));
  if (lot < 0.92) return act(`press ${key}`, ({ keyboard }) => keyboard.press(key));
  const to = pick(places);
  if (lot < 0.96 && to)
    return act(`drag ${at} to ${to.element} at ${to.x},${to.y}`, (page) => drag(page, { x, y }, to));
  return act(`turn the wheel by ${turn} over ${at}`, async ({ mouse }) => {
    await mouse.move(x, y);
    await mouse.wheel(0, turn);
  });
}

/**
 * Drags with the left button, over CDP: while a button is down, Playwright's own mouse waits for a timer of each frame, and the frames of the
 * view run none.
 */
async function drag(page: Page, from: Pick<Place, 'x' | 'y'>, to: Pick<Place, 'x' | 'y'>): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const send = async (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', part: number): Promise<void> => {
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
    const isHeld = type === 'mousePressed' || (type === 'mouseMoved' && part > 0);
    await cdp.send('Input.dispatchMouseEvent', {
      ...{ type, x, y, buttons: isHeld ? 1 : 0, clickCount: type === 'mouseMoved' ? 0 : 1 },
      button: isHeld || type === 'mouseReleased' ? 'left' : 'none',
    });
    await delay(DRAG_STEP_MS);
  };
  await send('mouseMoved', 0);
  await send('mousePressed', 0);
  for (let step = 1; step <= DRAG_STEPS; step += 1) await send('mouseMoved', step / DRAG_STEPS);
  await send('mouseReleased', 1);
  await cdp.detach();
}

function act(title: string, run: Act['run']): Act {
  return { title, run };
}

/**
 * Finds places to press; runs in the page. Left out are links to other pages, and controls that open a surface of the browser's own, which no
 * picture shows.
 */
function offerOf(): Offer {
  const CONTROLS =
    'button,input,textarea,select,summary,label,a[href^="#"],th,td,li,canvas,[contenteditable],[tabindex]';
  const ROLES = '[role=button],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=option],[role=switch]';
  const OWN_SURFACE =
    'select:not([multiple],[size]),input:is([type=file],[type=color],[type=date],[type=time],[type=month])';
  const places: Place[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  const deepest = (x: number, y: number): Element | null => {
    let found = document.elementFromPoint(x, y);
    for (let next = found?.shadowRoot?.elementFromPoint(x, y); next && next !== found;)
      next = (found = next).shadowRoot?.elementFromPoint(x, y);
    return found;
  };
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const isPressed = element.matches(`${CONTROLS},${ROLES}`) || getComputedStyle(element).cursor === 'pointer';
      if (!isPressed || element.matches(OWN_SURFACE) || element.closest('a[href]:not([href^="#"])')) continue;
      const box = element.getBoundingClientRect();
      const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
      const isVisible =
        box.width >= 4 && box.height >= 4 && x > 1 && y > 1 && x < innerWidth - 1 && y < innerHeight - 1;
      const hit = isVisible ? deepest(x, y) : null;
      if (hit && (element.contains(hit) || hit.contains(element)))
        places.push({ x, y, element: `${element.localName}.${element.getAttribute('class') ?? ''}`.slice(0, 50) });
    }
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isField = focused?.matches(
    'textarea,input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=range])',
  );
  return {
    places,
    types: isField === true || (focused instanceof HTMLElement && focused.isContentEditable),
    opensByKey: focused?.matches(OWN_SURFACE) === true,
  };
}
