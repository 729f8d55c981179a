import { giveGesture } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { fullscreenOver, fullscreenRequest, pageAnswer, pageLeave } from '../protocol.ts';

const MAIN_FRAME = 1;

/** A request of a page: its frame, and the page's own id for it. */
interface PageRequest {
  readonly frame: number;
  readonly pageId: number;
}

/** A request that the person has not answered yet. */
interface Asked extends PageRequest {
  readonly id: number;
  readonly site: string;
}

/** Full screen state of a tab: the pending request, and the granted one. One per tab, with the lifetime of the host half. */
export class Screen {
  readonly #scope: HostScope;
  #asked: Asked | undefined;
  #last = 0;
  /** The request that the person has granted: while it is set, the person's browser is in full screen. */
  #entered: PageRequest | undefined;

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** Whether the person has permitted a page. */
  get isEntered(): boolean {
    return this.#entered !== undefined;
  }

  /** A page requests full screen: granted at once where the person has already permitted it, otherwise the person is asked. */
  ask(request: PageRequest, site: string, hasGesture: boolean): void {
    if (this.#asked || !hasGesture) this.#refuse(request);
    else if (this.#entered) this.#letIn(request);
    else {
      this.#asked = { ...request, id: ++this.#last, site };
      this.#request(this.#asked);
    }
  }

  /** The person's answer to a request. */
  answer(id: number, isGranted: boolean): void {
    if (this.#asked?.id === id) {
      const { frame, pageId } = this.#asked;
      this.#asked = undefined;
      if (isGranted) {
        this.#entered = { frame, pageId };
        this.#letIn(this.#entered);
      } else this.#refuse({ frame, pageId });
    } else if (isGranted && !this.#entered) this.#scope.commands.send(fullscreenOver, undefined); // the question was cancelled
  }

  /** The person's browser has left full screen. */
  left(): void {
    if (!this.#entered) return;
    this.#entered = undefined;
    this.#takeOut();
  }

  /** A request failed in the page. Only the one that the person has permitted ends full screen for both. */
  failed({ frame, pageId }: PageRequest): void {
    if (this.#entered?.frame !== frame || this.#entered.pageId !== pageId) return;
    this.over();
    this.#takeOut();
  }

  /** A frame was removed, or shows another document. */
  gone(frame: number): void {
    if (frame === this.#asked?.frame || frame === MAIN_FRAME) this.over();
  }

  /** Cancels the question, and ends full screen in the person's browser. */
  over(): void {
    if (!this.#asked && !this.#entered) return;
    if (this.#asked) this.#refuse(this.#asked);
    this.#asked = this.#entered = undefined;
    this.#scope.commands.send(fullscreenOver, undefined);
  }

  /** A reloaded client is not in full screen, and is asked again. */
  renew(): void {
    this.left();
    if (this.#asked) this.#request(this.#asked);
  }

  /** Rejects the pending request, and ends the page's full screen. */
  dispose(): void {
    if (this.#asked) this.#refuse(this.#asked);
    if (this.#entered) this.#takeOut();
  }

  #request({ id, site }: Asked): void {
    this.#scope.commands.send(fullscreenRequest, { id, site });
  }

  #refuse({ frame, pageId }: PageRequest): void {
    this.#scope.page.send(frame, pageAnswer, { id: pageId, granted: false });
  }

  #takeOut(): void {
    for (const { id } of this.#scope.frames.all()) this.#scope.page.send(id, pageLeave, undefined);
  }

  #letIn(request: PageRequest): void {
    const { page, log } = this.#scope;
    giveGesture(this.#scope, request.frame).then(
      () => page.send(request.frame, pageAnswer, { id: request.pageId, granted: true }),
      (thrown: unknown) => {
        log.info('a page could not be let into full screen', { reason: String(thrown) });
        this.#refuse(request);
        this.failed(request);
      },
    );
  }
}
