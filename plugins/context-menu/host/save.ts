import { AppError, giveGesture, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { MAX_PICTURE_BYTES } from '../limits.ts';
import { notSaved, savePicture } from '../protocol.ts';
import { nameOf } from './picture-name.ts';

/**
 * Has a frame download a picture that it shows. The bytes are those that the surrogate has of it: no site is asked again, and the file goes the
 * way of all that pages download.
 */
export async function save(scope: HostScope, frame: number, url: string): Promise<void> {
  const { cdp, commands, log, page } = scope;
  try {
    const frameId = cdp.frameId(frame) ?? '';
    const { content, base64Encoded } = await cdp.send(frame, 'Page.getResourceContent', { frameId, url });
    const body = new Uint8Array(Buffer.from(content, base64Encoded ? 'base64' : 'utf8'));
    if (body.length === 0 || body.length > MAX_PICTURE_BYTES)
      throw new AppError('picture-unusable', 'the picture is empty or too large');
    await giveGesture(scope, frame);
    await page.call(frame, savePicture, { name: nameOf(url, body) }, { body });
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    log.info('a picture was not saved', { code, error: message });
    commands.send(notSaved, undefined);
  }
}
