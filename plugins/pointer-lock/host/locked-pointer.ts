import type { HostScope, InputTurn, ParamsOf, Place } from '../../../host/plugin.ts';
import { cdpModifiers, INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { BUTTONS, pageHold, pageSteady } from '../protocol.ts';
import type { lockMoved, lockPressed, lockTurned } from '../protocol.ts';

const MAIN_FRAME = 1;
/** The flags of all buttons. */
const BUTTON_FLAGS = 31;
/** Longest wait for the page to take a movement, or a message about one, in ms. */
const DEADLINE_MS = 3000;
/** Distance from its beginning at which the pointer is brought back there, in CSS px: browsers calculate with 24 bits. */
const FAR_PX = 1_000_000;

type Moved = ParamsOf<typeof lockMoved>;

/** Where the pointer is in a session. */
type Position = Pick<Place, 'session' | 'x' | 'y'>;

/**
 * The pointer of a page that has locked it. To the page, a movement is the difference between two positions, which may be anywhere: the
 * position starts at the frame's corner and goes by what the person moves. The page does not hear of the host's own movements, to the start
 * and back to where the pointer was before.
 */
export class LockedPointer {
  readonly #scope: Pick<HostScope, 'input' | 'page'>;
  /** The frame that has the lock. */
  #frame: number | undefined;
  #position: Position | undefined;
  /** Where the page has the pointer during the lock, in its frame's viewport. */
  #home = { x: 0, y: 0 };
  /** The buttons that are down in the page, as INPUT_FLAGS. */
  #held = 0;
  /** Movement that waits for its turn. */
  #waiting: Moved | undefined;
  #isReturning = false;

  constructor(scope: Pick<HostScope, 'input' | 'page'>) {
    this.#scope = scope;
  }

  /** The page of a frame has locked the pointer. */
  begin(frame: number): void {
    this.#frame = frame;
    this.recentre();
  }

  /** Brings the position back to its start: it has gone far, or an event of the view was at a place of its own. */
  recentre(): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    this.#waiting = undefined;
    this.#isReturning = true;
    void this.#scope.input.enqueue(async (turn) => {
      this.#isReturning = false;
      if (this.#frame === frame) this.#home = (await this.#place(frame, { x: 0, y: 0 }, turn)) ?? this.#home;
    });
  }

  /** The lock is over: buttons come up that went down under it, and the pointer is where it was before. */
  end(frame: number): void {
    if (this.#frame !== frame) return;
    this.#frame = this.#waiting = undefined;
    void this.#scope.input.enqueue(async (turn) => {
      this.#release(turn);
      await this.#place(frame, this.#home, turn);
      this.#position = undefined;
    });
  }

  /** A frame was removed, or shows another document: there is nothing to bring back. */
  gone(frame: number): void {
    if (frame !== this.#frame && frame !== MAIN_FRAME) return;
    this.#frame = this.#position = this.#waiting = undefined;
    this.#held = 0;
  }

  move(moved: Moved): void {
    if (this.#frame === undefined) return;
    if (this.#waiting) {
      const { movement_x, movement_y } = this.#waiting;
      const sum = { movement_x: movement_x + moved.movement_x, movement_y: movement_y + moved.movement_y };
      Object.assign(this.#waiting, moved, sum);
      return;
    }
    const waiting = { ...moved };
    this.#waiting = waiting;
    const taken = (): void => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
    const move = (turn: InputTurn): void => {
      taken();
      this.#move(waiting, turn);
    };
    void this.#scope.input.enqueue(move, { isMove: true }).then(taken);
  }

  press({ type, button, modifiers, click_count: clickCount }: ParamsOf<typeof lockPressed>): void {
    this.#next((turn) => {
      const flag = INPUT_FLAGS[button];
      const isDown = type === 'down';
      if (!isDown && !(this.#held & flag)) return; // its press was not the page's
      this.#held = isDown ? this.#held | flag : this.#held & ~flag;
      const event = { type: isDown ? 'mousePressed' : 'mouseReleased', button, clickCount } as const;
      this.#send({ ...event, modifiers: cdpModifiers(modifiers), buttons: modifiers & BUTTON_FLAGS }, turn);
    }, type === 'down');
  }

  turn({ delta_x: deltaX, delta_y: deltaY, modifiers }: ParamsOf<typeof lockTurned>): void {
    this.#next((turn) => this.#send({ type: 'mouseWheel', deltaX, deltaY, modifiers: cdpModifiers(modifiers) }, turn));
  }

  /** Takes an event into the order, behind the movement before it. */
  #next(apply: (turn: InputTurn) => void, isPress = false): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    this.#waiting = undefined;
    const taken = (turn: InputTurn): void => {
      if (this.#frame === frame) apply(turn);
    };
    void this.#scope.input.enqueue(taken, { isPress });
  }

  #move({ movement_x, movement_y, modifiers }: Moved, turn: InputTurn): void {
    const position = this.#position;
    if (!position || this.#frame === undefined) return;
    this.#position = { ...position, x: position.x + movement_x, y: position.y + movement_y };
    const buttons = modifiers & BUTTON_FLAGS;
    const button = BUTTONS.find((name) => buttons & INPUT_FLAGS[name]) ?? 'none';
    this.#send({ type: 'mouseMoved', button, buttons, modifiers: cdpModifiers(modifiers) }, turn);
    const { x, y } = this.#position;
    if (!this.#isReturning && Math.max(Math.abs(x), Math.abs(y)) > FAR_PX) this.recentre();
  }

  #send(event: Omit<Parameters<typeof dispatch>[0], 'x' | 'y' | 'session'>, turn: InputTurn): void {
    if (this.#position) void dispatch({ ...event, ...this.#position }, turn);
  }

  /** The buttons come up outside: a release in place would click there. */
  #release(turn: InputTurn): void {
    const { session } = this.#position ?? {};
    for (const button of BUTTONS) {
      if (!(this.#held & INPUT_FLAGS[button]) || session === undefined) continue;
      this.#held &= ~INPUT_FLAGS[button];
      void dispatch({ type: 'mouseReleased', button, buttons: this.#held, clickCount: 0, x: -1, y: -1, session }, turn);
    }
    this.#held = 0;
  }

  /** Brings the pointer to a point of a frame, unnoticed by the page. Returns where the page has it. */
  async #place(
    frame: number,
    point: { readonly x: number; readonly y: number },
    turn: InputTurn,
  ): Promise<{ readonly x: number; readonly y: number } | undefined> {
    const { input, page } = this.#scope;
    const deadline = { deadlineMs: DEADLINE_MS };
    const place = await input.place({ frame, ...point }, { x: 0, y: 0 });
    if (!place) return undefined;
    this.#position = place;
    await page.call(frame, pageHold, undefined, deadline);
    await dispatch({ type: 'mouseMoved', button: 'none', ...place }, turn);
    const { x, y } = await page.call(frame, pageSteady, undefined, deadline);
    return { x, y };
  }
}

type MouseEvent = Omit<Extract<Parameters<InputTurn['send']>[1], { readonly pointerType?: string }>, 'type'>;

/** Sends an event of the mouse. Resolves once the page has handled it, or has not for a while. */
async function dispatch(
  {
    session,
    ...event
  }: MouseEvent & {
    readonly type: 'mouseMoved' | 'mousePressed' | 'mouseReleased' | 'mouseWheel';
    readonly session: number;
  },
  turn: InputTurn,
): Promise<void> {
  const options = { session, deadlineMs: DEADLINE_MS };
  try {
    await turn.send('Input.dispatchMouseEvent', { pointerType: 'mouse', ...event }, options);
  } catch {
    // The event is lost, as in a browser: the frame has gone, or the page hangs.
  }
}
