import type { Frame, HostScope } from '../../../host/plugin.ts';
import { askFocus } from '../protocol.ts';

/** Timeout of the question for the focus, in ms: pages are busy for a second or two. */
const FOCUS_DEADLINE_MS = 3000;

/** The frame that says that it has the focus; undefined for none. Frames that hang hold nobody up where one does. Never rejects. */
export function frameWithFocus(
  { page }: Pick<HostScope, 'page'>,
  frames: readonly Frame[],
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const asked = frames.map(async ({ id }) => {
    const answer = page.call(id, askFocus, undefined, { deadlineMs: FOCUS_DEADLINE_MS });
    if (await answer.catch(() => false)) resolve(id);
  });
  void Promise.all(asked).then(() => resolve(undefined));
  return promise;
}
