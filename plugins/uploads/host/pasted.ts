import * as v from 'valibot';
import { AppError, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { addressesOf } from './frame-addresses.ts';
import { worldOf } from './page-world.ts';
import type { FileTarget } from './upload.ts';

/** A page that does not answer within this time shows a dialog or hangs, in ms. */
const PAGE_DEADLINE_MS = 3000;

const made = v.object({ result: v.object({ objectId: v.string() }) });
const described = v.object({ node: v.object({ backendNodeId: v.number() }) });

/** Makes an element that takes files, in no document, which knows where the focus is now. */
const REMEMBER_FOCUS = `(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = inner.shadowRoot?.activeElement) at = inner;
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.at = at;
  return input;
})()`;

/** Fires the event that a browser fires: the files are the page's own, of the same class as any. */
const PASTE = `function () {
  const clipboardData = new DataTransfer();
  for (const file of this.files) clipboardData.items.add(file);
  const at = this.at?.isConnected ? this.at : document.activeElement ?? document.documentElement;
  at.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
}`;

/**
 * The element of a frame that has the focus now, as the target of a paste of files. Chromium's clipboard takes files from no page and no tool: the
 * event is not trusted. Nothing else is done where the page does not handle it.
 *
 * @throws AppError as CdpBroker.send
 */
export async function pasteTarget(
  scope: Pick<HostScope<typeof manifest>, 'cdp' | 'frames' | 'tab'>,
  frame: number,
): Promise<FileTarget> {
  const { cdp, tab } = scope;
  const known = addressesOf(scope, frame);
  const contextId = await worldOf(cdp, frame);
  const { result } = v.parse(
    made,
    await cdp.send(frame, 'Runtime.evaluate', { expression: REMEMBER_FOCUS, contextId }),
  );
  const { objectId } = result;
  const { node } = v.parse(described, await cdp.send(frame, 'DOM.describeNode', { objectId }));
  return {
    frame,
    addresses: await known,
    asFolder: false,
    give: async (staged) => {
      await staged.give({ tab: tab.id, frame, backendNodeId: node.backendNodeId });
      const call = { functionDeclaration: PASTE, objectId };
      try {
        const { exceptionDetails } = await cdp.send(frame, 'Runtime.callFunctionOn', call, {
          deadlineMs: PAGE_DEADLINE_MS,
        });
        if (exceptionDetails) throw new AppError('paste-failed', 'The files could not be pasted.');
      } catch (thrown) {
        if (toAppError(thrown).code !== 'cdp-timeout') throw thrown; // the page has the event, and takes long over it
      }
      return true;
    },
  };
}
