import type { Renderer } from '../contracts/renderer.ts';
import type { Commands } from '../contracts/scope.ts';
import { boundingRect, frameComplete, visibleTree } from '../protocol/core-messages.ts';

/**
 * Answers the host's questions about the view as the person sees it (M-087). Nothing is visible while there is no renderer. The code is
 * loaded with the first question: no page needs it for display.
 */
export function answerSeen(
  commands: Pick<Commands, 'handle'>,
  window: Window,
  renderer: () => Renderer | undefined,
): void {
  const code = (): Promise<typeof import('./seen.ts')> => import('./seen.ts');
  commands.handle(visibleTree, async () => (await code()).seenFrames(window, renderer()));
  commands.handle(boundingRect, async ({ target }) => (await code()).around(renderer()?.rects(target) ?? []));
  commands.handle(frameComplete, async () => (await code()).drawn(window));
}
