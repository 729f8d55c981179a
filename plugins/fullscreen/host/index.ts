import type { ActivateHost, Frame } from '../../../host/plugin.ts';
import { fullscreen, fullscreenShown } from '../protocol.ts';
import { pageAsks, pageFailed, pageLeave, pageState } from '../protocol.ts';
import { Screen } from './screen.ts';

const MAIN_FRAME = 1;

/**
 * Decides who fills the person's screen: the page while the person has let it. A page that got there without having been
 * let is taken out again; so is one that the person's browser has left.
 */
export const activate: ActivateHost = (scope) => {
  const { commands, page, hooks, tab } = scope;
  const { gesture } = scope.input;
  const screen = new Screen(scope);

  page.handle(pageAsks, async ({ id: pageId }, frame) => {
    const hasGesture = gesture.isActive();
    const origin = await scope.frames.originOf(frame.id);
    screen.ask({ frame: frame.id, pageId }, siteOf({ ...frame, origin }), hasGesture);
  });
  page.handle(pageFailed, ({ id: pageId }, frame) => screen.failed({ frame: frame.id, pageId }));
  page.handle(pageState, (state, frame) => {
    if (state.isFull && !screen.isEntered) page.send(MAIN_FRAME, pageLeave, undefined);
    else if (state.isFull) {
      const { node, epoch, seq } = state;
      commands.send(fullscreenShown, { frame: frame.id, epoch, node }, { after: [frame.id, epoch, seq] });
    } else if (frame.id === MAIN_FRAME) screen.over();
  });
  commands.handle(fullscreen, ({ id, is_fullscreen }) => {
    if (id !== undefined) screen.answer(id, is_fullscreen);
    else if (!is_fullscreen) screen.left();
  });

  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) screen.gone(frame);
  });
  scope.frames.onGone((frame) => screen.gone(frame));
  hooks.tap(tab.hooks.replaced, () => screen.over());
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) screen.renew();
  });
  scope.onDispose(() => screen.dispose());
};

/** Returns the host of the site that asks, or the protocol of its address if it has none: a person can recognise it. */
function siteOf({ origin, url }: Frame): string {
  return (URL.parse(origin)?.host || URL.parse(url)?.protocol || '').slice(0, 300);
}
