import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { Target } from '../../../core/protocol/target.ts';
import { edited, focused, insertText, keyboard, mouse, scrolled, wheel } from '../../../core/protocol/core-messages.ts';
import type { Endpoint } from '../../../core/protocol/endpoint.ts';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import type { ParamsOf } from '../../../core/protocol/message.ts';
import { focusTarget, resolveTarget, scrollTo, setValue } from '../../../core/protocol/page-messages.ts';
import type { InputOrder, PageBus } from '../../plugin.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { FramePlacement } from '../page/frame-placement.ts';
import type { FrameTree } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';

/** A page half that does not say within this time where a target is has a page that hangs: the event is dropped. */
const RESOLVE_DEADLINE_MS = 1000;
/** Events that may wait for a page that does not answer; past it the oldest movement goes, then everything new. */
const MAX_WAITING = 200;

type MouseInput = ParamsOf<typeof mouse>;
type WheelInput = ParamsOf<typeof wheel>;
type KeyInput = ParamsOf<typeof keyboard>;
type Button = Protocol.Input.MouseButton;

/** What a shortcut with Command edits by: the surrogate's Chromium knows those with Ctrl by itself. */
const COMMANDS: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', Z: 'redo' };
const commandsOf = (key: string): string[] => (Object.hasOwn(COMMANDS, key) ? [COMMANDS[key] ?? ''] : []);

/** A point in the coordinates of a session. */
interface Place {
  readonly session: CdpSession;
  readonly x: number;
  readonly y: number;
}

/** CDP's modifier bits of INPUT_FLAGS. */
function cdpModifiers(flags: number): number {
  return (
    (flags & INPUT_FLAGS.alt ? 1 : 0) |
    (flags & INPUT_FLAGS.ctrl ? 2 : 0) |
    (flags & INPUT_FLAGS.meta ? 4 : 0) |
    (flags & INPUT_FLAGS.shift ? 8 : 0)
  );
}

/**
 * Applies the person's input to the page as trusted events. The page half says where a target lies now; the event goes to the
 * session of its frame. Events keep their order, but nothing waits for the page to have handled one: a page that shows a dialog
 * never acknowledges.
 */
export class PageInput implements InputOrder {
  readonly #frames: FrameTree;
  readonly #page: PageBus;
  readonly #placement: FramePlacement;
  readonly #expect: (session: CdpSession) => void;
  readonly #waiting: { readonly isMove: boolean; readonly run: () => Promise<void> }[] = [];
  #running = false;
  #actedAt = -Infinity;
  /** The page has handled the last key, or is gone. */
  #keyDone: Promise<unknown> = Promise.resolve();
  /** Where the button went down: the rest of a drag belongs to that session. */
  #press: Place | undefined;
  /** From where the person sees the press to where the page got it: what is under the pointer may follow it, so a drag goes by this. */
  #shift: Pick<Target, 'frame' | 'epoch' | 'x' | 'y'> | undefined;
  /** The session that the pointer is over. */
  #hovered: CdpSession | undefined;

  /** `expect` is told whose document the person has done something in that it has to handle. */
  constructor(frames: FrameTree, page: PageBus, expect: (session: CdpSession) => void) {
    this.#expect = expect;
    this.#frames = frames;
    this.#page = page;
    this.#placement = new FramePlacement(frames);
  }

  /** When the person last pressed a key or a button, in `performance.now()` milliseconds. */
  get actedAt(): number {
    return this.#actedAt;
  }

  /** Takes the input messages of a tab's client. */
  handle(endpoint: Endpoint): void {
    endpoint.handle(mouse, (input) => {
      if (input.type === 'down' || input.type === 'up') this.#actedAt = performance.now();
      this.#enqueue(input.type === 'move', () => this.#mouse(input));
    });
    endpoint.handle(wheel, (input) => this.#enqueue(false, () => this.#wheel(input)));
    endpoint.handle(keyboard, (input) => {
      this.#actedAt = performance.now();
      this.#enqueue(false, async () => this.#key(input));
    });
    endpoint.handle(insertText, ({ text }) => this.#enqueue(false, async () => this.#text(text)));
    endpoint.handle(scrolled, ({ target, left, top }) => {
      this.#enqueue(false, async () => this.#page.send(target.frame, scrollTo, { target, left, top }));
    });
    endpoint.handle(edited, ({ target, value }) => {
      this.#enqueue(
        false,
        async () => void this.#page.call(target.frame, setValue, { target, value }).catch(() => undefined),
      );
    });
    endpoint.handle(focused, ({ target }) => {
      this.#enqueue(
        false,
        async () => void this.#page.call(target.frame, focusTarget, { target }).catch(() => undefined),
      );
    });
  }

  enqueue(run: () => Promise<void>): void {
    this.#enqueue(false, async () => {
      await Promise.race([this.#keyDone, delay(RESOLVE_DEADLINE_MS, undefined, { ref: false })]);
      await run();
    });
  }

  /** The page is another: nothing that was pressed or waits concerns it. */
  reset(): void {
    this.#actedAt = -Infinity;
    this.#waiting.length = 0;
    this.#release();
    this.#hovered = undefined;
  }

  #enqueue(isMove: boolean, run: () => Promise<void>): void {
    // A movement that still waits is overtaken by the next one.
    if (isMove && this.#waiting.at(-1)?.isMove) this.#waiting.pop();
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push({ isMove, run });
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await next.run();
      } catch {
        // The frame went away, or its page hangs: this event is lost, as it would be in a browser.
      }
    }
    this.#running = false;
  }

  async #mouse(input: MouseInput): Promise<void> {
    if (input.type === 'leave') {
      const session = this.#frames.sessionOf(input.target.frame);
      if (session && !this.#press) this.#leave(session);
      return;
    }
    const { target } = input;
    const buttons = input.modifiers & 31;
    // The release of the last press may never have come: its document has gone, or it was lost on its way.
    if (input.type === 'down' ? isOne(buttons) : buttons === 0 && input.type === 'move') this.#release();
    try {
      const point = this.#dragged(target) ?? (await this.#pointOf(target));
      const place = point && (await this.#placeAt(target.frame, point.x, point.y));
      if (place) this.#point(input, point, place);
    } finally {
      if (input.type === 'up' && buttons === 0) this.#release();
    }
  }

  #point(input: MouseInput, point: Pick<Target, 'x' | 'y'>, place: Place): void {
    const { target } = input;
    const buttons = input.modifiers & 31;
    const common = { modifiers: cdpModifiers(input.modifiers), buttons, pointerType: 'mouse' as const };
    if (input.type === 'move') {
      const at = this.#dragPlace(place);
      this.#hover(at.session);
      const button = HELD.find(([bit]) => buttons & bit)?.[1] ?? 'none';
      send(at, { ...common, type: 'mouseMoved', button });
      return;
    }
    const pressed = { ...common, button: input.button, clickCount: input.click_count };
    if (input.type === 'down') {
      this.#press = place;
      this.#shift = { ...target, x: point.x - target.x, y: point.y - target.y };
      this.#hover(place.session);
      send(place, { ...common, type: 'mouseMoved', button: 'none', buttons: 0 });
      send(place, { ...pressed, type: 'mousePressed' });
    } else {
      send(this.#dragPlace(place), { ...pressed, type: 'mouseReleased' });
    }
  }

  /** Where a target is that is dragged to: in the document in which the button went down. */
  #dragged({ frame, epoch, x, y }: Target): Pick<Target, 'x' | 'y'> | undefined {
    const shift = this.#shift;
    return shift?.frame === frame && shift.epoch === epoch ? { x: x + shift.x, y: y + shift.y } : undefined;
  }

  async #wheel(input: WheelInput): Promise<void> {
    if (input.handled) return; // the offset has come by itself
    const place = await this.#placeOf(input.target);
    if (!place) return;
    this.#hover(place.session);
    send(place, {
      type: 'mouseWheel',
      modifiers: cdpModifiers(input.modifiers),
      deltaX: input.delta_x,
      deltaY: input.delta_y,
      pointerType: 'mouse',
    });
  }

  /** Keys go to the page's session: Chromium hands them to whatever frame has the focus. */
  #key({ type, key, code, key_code, location, repeat, modifiers, text }: KeyInput): void {
    const session = this.#frames.sessionOf(0);
    if (!session) return;
    this.#expect(session);
    const typed = type === 'down' && text !== '' ? { text, unmodifiedText: text } : {};
    const sent = session.send('Input.dispatchKeyEvent', {
      type: type === 'up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
      key,
      code,
      windowsVirtualKeyCode: key_code,
      nativeVirtualKeyCode: key_code,
      location,
      isKeypad: location === 3,
      autoRepeat: repeat,
      modifiers: cdpModifiers(modifiers),
      ...typed,
      ...(type === 'down' && modifiers & INPUT_FLAGS.meta ? { commands: commandsOf(key) } : {}),
    });
    this.#keyDone = sent.catch(() => undefined);
    quietly(sent);
  }

  #text(text: string): void {
    const session = this.#frames.sessionOf(0);
    if (session) quietly(session.send('Input.insertText', { text }));
  }

  async #placeOf(target: Target): Promise<Place | undefined> {
    const point = await this.#pointOf(target);
    return point && this.#placeAt(target.frame, point.x, point.y);
  }

  /** Where a target is in its frame's viewport; undefined when the frame has no session. */
  async #pointOf(target: Target): Promise<Pick<Target, 'x' | 'y'> | undefined> {
    const { frame } = target;
    const session = this.#frames.sessionOf(frame);
    if (!session) return undefined;
    this.#expect(session);
    return this.#page.call(frame, resolveTarget, { target }, { deadlineMs: RESOLVE_DEADLINE_MS });
  }

  async #placeAt(frame: number, x: number, y: number): Promise<Place | undefined> {
    const session = this.#frames.sessionOf(frame);
    const place = await this.#placement.inSession(frame, x, y);
    return session && place && { session, ...place };
  }

  #release(): void {
    this.#press = undefined;
    this.#shift = undefined;
  }

  /** A drag stays in the session where it began; outside of it, it stays at its last point there. */
  #dragPlace(place: Place): Place {
    if (!this.#press) return place;
    if (this.#press.session !== place.session) return this.#press;
    this.#press = place;
    return place;
  }

  #hover(session: CdpSession): void {
    if (this.#hovered && this.#hovered !== session) this.#leave(this.#hovered);
    this.#hovered = session;
  }

  #leave(session: CdpSession): void {
    send({ session, x: -1, y: -1 }, { type: 'mouseMoved', button: 'none', buttons: 0 });
    if (this.#hovered === session) this.#hovered = undefined;
  }
}

const HELD: readonly (readonly [number, Button])[] = [
  [INPUT_FLAGS.left, 'left'],
  [INPUT_FLAGS.right, 'right'],
  [INPUT_FLAGS.middle, 'middle'],
  [INPUT_FLAGS.back, 'back'],
  [INPUT_FLAGS.forward, 'forward'],
];

function send({ session, x, y }: Place, event: Omit<Protocol.Input.DispatchMouseEventRequest, 'x' | 'y'>): void {
  if (!session.closed.aborted) quietly(session.send('Input.dispatchMouseEvent', { ...event, x, y }));
}

/** Whether one button alone is down. */
function isOne(buttons: number): boolean {
  return (buttons & (buttons - 1)) === 0;
}
