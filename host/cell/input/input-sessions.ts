import { AppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { InputMethod, InputTurn } from '../../contracts/tab-input.ts';
import type { FrameTree } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';

type SendOptions = NonNullable<Parameters<InputTurn['send']>[2]>;

/** The CDP sessions of a tab as targets of input. */
export class InputSessions {
  readonly #frames: FrameTree;
  readonly #expect: (session: CdpSession) => void;
  readonly #numbers = new WeakMap<CdpSession, number>();
  readonly #open = new Map<number, CdpSession>();
  #last = 0;
  /** The session that the pointer is over. */
  #hovered: CdpSession | undefined;

  /** `expect` is called with the document that has to handle what the person has done. */
  constructor(frames: FrameTree, expect: (session: CdpSession) => void) {
    this.#frames = frames;
    this.#expect = expect;
  }

  /** The number of a session in places. */
  numberOf(session: CdpSession): number {
    const known = this.#numbers.get(session);
    if (known !== undefined) return known;
    const number = (this.#last += 1);
    this.#numbers.set(session, number);
    this.#open.set(number, session);
    onAbort(session.closed, () => this.#open.delete(number));
    return number;
  }

  /** See {@link InputTurn.send}. */
  async send(method: InputMethod, params: object, { session: number, deadlineMs }: SendOptions = {}): Promise<void> {
    const session = number === undefined ? this.#frames.sessionOf(0) : this.#open.get(number);
    if (!session || session.closed.aborted)
      throw new AppError('frame-gone', 'the frame of an event is gone', { retryable: true });
    this.#expect(session);
    if (method === 'Input.dispatchMouseEvent') this.#hover(session);
    // One method's parameters, as the turn's own signature has checked them.
    const send = session.send.bind(session) as (method: string, params: object, options?: object) => Promise<unknown>;
    await send(method, params, deadlineMs === undefined ? {} : { deadlineMs });
  }

  /** See {@link InputTurn.leave}. */
  leave(frame: number): void {
    const session = this.#frames.sessionOf(frame);
    if (session) this.#leave(session);
  }

  /** The page is another: nothing of it is under the pointer. */
  reset(): void {
    this.#hovered = undefined;
  }

  #hover(session: CdpSession): void {
    if (this.#hovered && this.#hovered !== session) this.#leave(this.#hovered);
    this.#hovered = session;
  }

  #leave(session: CdpSession): void {
    if (this.#hovered === session) this.#hovered = undefined;
    if (session.closed.aborted) return;
    const outside = { type: 'mouseMoved', button: 'none', buttons: 0, x: -1, y: -1 } as const;
    quietly(session.send('Input.dispatchMouseEvent', outside));
  }
}
