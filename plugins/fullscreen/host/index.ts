import type { ActivateHost, Frame, HostScope } from '../../../host/plugin.ts';
import { fullscreen, fullscreenOver, fullscreenRequest, fullscreenShown } from '../protocol.ts';
import { pageAnswer, pageAsks, pageFailed, pageLeave, pageState } from '../protocol.ts';

const MAIN_FRAME = 1;
/** The world that a gesture is given to a frame in. */
const GESTURE_WORLD = 'vitrine-gesture';

/** A request that the person has not answered yet. */
interface Asked {
  readonly id: number;
  readonly frame: number;
  /** The page's own number for it. */
  readonly pageId: number;
  readonly site: string;
}

/**
 * Decides who fills the person's screen: the page while the person has let it. A page that got there without having been
 * let is taken out again; so is one that the person's browser has left.
 */
export const activate: ActivateHost = (scope) => {
  const { commands, page, hooks, tab } = scope;
  const { gesture } = scope.input;
  let asked: Asked | undefined;
  let last = 0;
  /** What the person has let in: for as long as it is there, the person's browser is in full screen. */
  let entered: Pick<Asked, 'frame' | 'pageId'> | undefined;

  const refuse = (frame: number, pageId: number): void => page.send(frame, pageAnswer, { id: pageId, granted: false });
  /** Nothing is asked any more, and the person's browser has its window back. */
  const over = (): void => {
    if (!asked && !entered) return;
    if (asked) refuse(asked.frame, asked.pageId);
    asked = entered = undefined;
    commands.send(fullscreenOver, undefined);
  };
  const takeOut = (): void => {
    for (const { id } of scope.frames.all()) page.send(id, pageLeave, undefined);
  };
  /** Only what the person was asked for ends it for both; another element of a page that is in has just not taken its place. */
  const failed = (frame: number, pageId: number): void => {
    if (entered?.frame !== frame || entered.pageId !== pageId) return;
    over();
    takeOut();
  };
  const letIn = (frame: number, pageId: number): void => {
    giveGesture(scope, frame).then(
      () => page.send(frame, pageAnswer, { id: pageId, granted: true }),
      (thrown: unknown) => {
        scope.log.info('a page could not be let into full screen', { reason: String(thrown) });
        refuse(frame, pageId);
        failed(frame, pageId);
      },
    );
  };

  page.handle(pageAsks, ({ id: pageId }, frame) => {
    if (asked || !gesture.isActive()) refuse(frame.id, pageId);
    else if (entered) letIn(frame.id, pageId);
    else {
      asked = { id: ++last, frame: frame.id, pageId, site: siteOf(frame) };
      commands.send(fullscreenRequest, { id: asked.id, site: asked.site });
    }
  });
  page.handle(pageFailed, ({ id }, frame) => failed(frame.id, id));
  page.handle(pageState, (state, frame) => {
    if (state.isFull && !entered) page.send(MAIN_FRAME, pageLeave, undefined);
    else if (state.isFull) {
      const { node, epoch, seq } = state;
      commands.send(fullscreenShown, { frame: frame.id, epoch, node }, { after: [frame.id, epoch, seq] });
    } else if (frame.id === MAIN_FRAME) over();
  });
  commands.handle(fullscreen, ({ id, is_fullscreen }) => {
    if (id === undefined) {
      if (is_fullscreen || !entered) return;
      entered = undefined;
      takeOut();
    } else if (asked?.id === id) {
      const { frame, pageId } = asked;
      asked = undefined;
      if (is_fullscreen) {
        entered = { frame, pageId };
        letIn(frame, pageId);
      } else refuse(frame, pageId);
    } else if (is_fullscreen && !entered) commands.send(fullscreenOver, undefined); // it is not asked any more
  });

  const gone = (frame: number): void => {
    if (frame === asked?.frame || frame === MAIN_FRAME) over();
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) gone(frame);
  });
  scope.frames.onGone(gone);
  hooks.tap(tab.hooks.replaced, over);
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    if (entered) takeOut();
    entered = undefined;
    if (asked) commands.send(fullscreenRequest, { id: asked.id, site: asked.site });
  });
  scope.onDispose(() => {
    if (asked) refuse(asked.frame, asked.pageId);
    if (entered) takeOut();
  });
};

/** The gesture that the page has asked with may be used up: the person's answer is another one. */
async function giveGesture({ cdp }: HostScope, frame: number): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: GESTURE_WORLD,
  });
  await cdp.send(frame, 'Runtime.evaluate', { expression: '0', contextId, userGesture: true });
}

/** What a person can recognise of who asks. */
function siteOf({ origin, url }: Frame): string {
  return (URL.parse(origin)?.host || URL.parse(url)?.protocol || '').slice(0, 300);
}
