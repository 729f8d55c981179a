import { AppError, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { MAIN_FRAME } from './again.ts';
import type { Again } from './again.ts';

/** The isolated world in which a frame asks for a download. */
const WORLD = 'vitrine-download';
/** Time for a frame to answer, in ms. */
const REACH_MS = 5000;

/**
 * Has a frame ask for a download again as by a link of its document, with the gesture that this requires: so it is the initiator of the request, and
 * cookies and referrer are as they were. Where the document has gone the page does so as a link of another site, without a referrer.
 *
 * @throws AppError as CdpBroker.send; `page-busy`, retryable, where too much waits for the page
 */
export async function askAgain(
  { cdp, frames, input, tab }: HostScope,
  { frame, from, address, name }: Again,
): Promise<void> {
  const now = frames.get(frame);
  const isThere = now !== undefined && originOf(now.url) === originOf(from);
  const asking = isThere ? frame : MAIN_FRAME;
  // An address of another site may answer with a page this time, such as one to sign in: that must not take the place of this one.
  const target = tab.policy().persistent_policy.new_tabs ? '_blank' : '';
  const facts = { href: address, download: name, rel: isThere ? '' : 'noreferrer' };
  const expression = `{
    const link = Object.assign(document.createElement('a'), ${JSON.stringify(facts)});
    if (link.origin !== self.origin) link.target = '${target}';
    link.click();
  }`;
  let failure: AppError | undefined;
  const ask = async (): Promise<void> => {
    try {
      const frameId = cdp.frameId(asking) ?? '';
      const options = { deadlineMs: REACH_MS };
      const world = { frameId, worldName: WORLD };
      const { executionContextId: contextId } = await cdp.send(asking, 'Page.createIsolatedWorld', world, options);
      await cdp.send(asking, 'Runtime.evaluate', { expression, contextId, userGesture: true }, options);
    } catch (thrown) {
      failure = toAppError(thrown);
    }
  };
  if (!(await input.enqueue(ask, { isPress: true })))
    throw new AppError('page-busy', 'The page takes no input now.', { retryable: true });
  if (failure) throw failure;
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}
