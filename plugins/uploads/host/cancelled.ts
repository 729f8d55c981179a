import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { worldOf } from './page-world.ts';

/** A dialog of the browser has the focus until it is closed: before there was `cancel`, pages went by its return to the window. */
const CANCEL = `function () {
  for (const type of ['blur', 'focus']) this.ownerDocument.defaultView.dispatchEvent(new FocusEvent(type));
  this.dispatchEvent(new Event('cancel', { bubbles: true }));
}`;

/**
 * Notifies an element that its chooser was closed without files. The events are not trusted: Chromium fires `cancel` only for choosers of its
 * own, whose files it keeps, as this does.
 *
 * @throws AppError as CdpBroker.send: the element or its document has gone
 */
export async function fireCancel(
  { cdp }: Pick<HostScope<typeof manifest>, 'cdp'>,
  { frame, backendNodeId }: { readonly frame: number; readonly backendNodeId: number },
): Promise<void> {
  const executionContextId = await worldOf(cdp, frame);
  const { object } = await cdp.send(frame, 'DOM.resolveNode', { backendNodeId, executionContextId });
  const call = { functionDeclaration: CANCEL, objectId: object.objectId ?? '' };
  await cdp.send(frame, 'Runtime.callFunctionOn', call);
}
