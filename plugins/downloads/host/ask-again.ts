import { AppError, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { MAIN_FRAME, originOf } from './again.ts';
import type { Again } from './again.ts';

/** The isolated world in which a frame asks for a download. */
const WORLD = 'vitrine-download';
/** Time for a frame to answer, in ms. */
const REACH_MS = 5000;

/**
 * Has a frame ask for a download again as by a link of its document, with the gesture that this requires: so it is the initiator of the request, and
 * cookies and referrer are as they were. Where the document has gone the page that is there asks as a link of another site, without a referrer; the
 * person's press is none in that page.
 *
 * @throws AppError as CdpBroker.send; `no-window` where an address of another site needs one and pages may open none; `not-begun` where the document
 * makes no link; `page-busy`, retryable, where too much waits for the page
 */
export async function askAgain(
  { cdp, frames, input, tab }: HostScope,
  { frame, from, address, name }: Again,
): Promise<void> {
  const isThere = from !== '' && originOf(frames.get(frame)?.url ?? '') === from;
  const asking = isThere ? frame : MAIN_FRAME;
  // An address of another site may answer with a page this time, such as one to sign in: that must not take the place of this one, nor may this one see the address.
  const isOwn = originOf(frames.get(asking)?.url ?? '') === originOf(address);
  if (!isOwn && !tab.policy().persistent_policy.new_tabs)
    throw new AppError('no-window', 'The address is one of another site, and pages may open no window.');
  const facts = {
    href: address,
    download: name,
    rel: isThere ? '' : 'noreferrer',
    ...(!isOwn && { target: '_blank' }),
  };
  // Elements that the page has given names hide methods of its document.
  const expression = `Object.assign(
    Document.prototype.createElementNS.call(document, 'http://www.w3.org/1999/xhtml', 'a'),
    ${JSON.stringify(facts)},
    self.origin === ${JSON.stringify(originOf(address))} ? {} : { target: '_blank' },
  ).click()`;
  let failure: AppError | undefined;
  const ask = async (): Promise<void> => {
    try {
      const frameId = cdp.frameId(asking) ?? '';
      const options = { deadlineMs: REACH_MS };
      const world = { frameId, worldName: WORLD };
      const { executionContextId: contextId } = await cdp.send(asking, 'Page.createIsolatedWorld', world, options);
      const evaluation = { expression, contextId, userGesture: isThere || !isOwn };
      const { exceptionDetails } = await cdp.send(asking, 'Runtime.evaluate', evaluation, options);
      if (exceptionDetails) throw new AppError('not-begun', exceptionDetails.text);
    } catch (thrown) {
      failure = toAppError(thrown);
    }
  };
  if (!(await input.enqueue(ask, { isPress: isThere })))
    throw new AppError('page-busy', 'The page takes no input now.', { retryable: true });
  if (failure) throw failure;
}
