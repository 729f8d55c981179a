import type { HostScope } from '../../../host/plugin.ts';
import { fullscreenOver, fullscreenRequest, pageAnswer, pageLeave } from '../protocol.ts';

const MAIN_FRAME = 1;
/** The world that a gesture is given to a frame in. */
const GESTURE_WORLD = 'vitrine-gesture';

/** One request of a page: its frame, and the page's own number for it. */
interface PageRequest {
  readonly frame: number;
  readonly pageId: number;
}

/** A request that the person has not answered yet. */
interface Asked extends PageRequest {
  readonly id: number;
  readonly site: string;
}

/** The person's screen: who asks for it, and whom the person has let fill it. One per tab, as long as the host half. */
export class Screen {
  readonly #scope: HostScope;
  #asked: Asked | undefined;
  #last = 0;
  /** The request that the person has granted: while it is there, the person's browser is in full screen. */
  #entered: PageRequest | undefined;

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** Whether the person has let a page in. */
  get isEntered(): boolean {
    return this.#entered !== undefined;
  }

  /** A page wants in: at once where the person has let it in already, else the person is asked. */
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
    } else if (isGranted && !this.#entered) this.#scope.commands.send(fullscreenOver, undefined); // it is not asked any more
  }

  /** The person's browser has left full screen by itself. */
  left(): void {
    if (!this.#entered) return;
    this.#entered = undefined;
    this.#takeOut();
  }

  /** An element could not fill the page. Only the one that the person was asked for ends it for both. */
  failed({ frame, pageId }: PageRequest): void {
    if (this.#entered?.frame !== frame || this.#entered.pageId !== pageId) return;
    this.over();
    this.#takeOut();
  }

  /** A frame has gone, or shows another document. */
  gone(frame: number): void {
    if (frame === this.#asked?.frame || frame === MAIN_FRAME) this.over();
  }

  /** Nothing is asked any more, and the person's browser has its window back. */
  over(): void {
    if (!this.#asked && !this.#entered) return;
    if (this.#asked) this.#refuse(this.#asked);
    this.#asked = this.#entered = undefined;
    this.#scope.commands.send(fullscreenOver, undefined);
  }

  /** A client that knows nothing yet has its window, and is asked again. */
  renew(): void {
    this.left();
    if (this.#asked) this.#request(this.#asked);
  }

  /** Refuses a request that waits, and takes a page out. */
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

/** The gesture that the page has asked with may be used up: the person's answer is another one. */
async function giveGesture({ cdp }: HostScope, frame: number): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: GESTURE_WORLD,
  });
  await cdp.send(frame, 'Runtime.evaluate', { expression: '0', contextId, userGesture: true });
}
