import { AppError, personDownloadsToken, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { MAX_PICTURE_BYTES } from '../limits.ts';
import { notSaved } from '../protocol.ts';
import { nameOf } from './picture-name.ts';

const MAIN_FRAME = 1;

/** A picture that the person saves. */
interface Picture {
  /** The frame that shows it; undefined once it does so no more. */
  readonly frame: number | undefined;
  readonly url: string;
  /** Of the frame: see `frameAddresses`. */
  readonly addresses: readonly string[];
}

/** Saves a picture in the way of all downloads. No frame takes part in it: the person asks for it, and a sandbox does not count. */
export async function save(scope: HostScope, { frame, url, addresses }: Picture): Promise<void> {
  const { commands, log, services, tab } = scope;
  try {
    const bytes = (await shownBytes(scope, frame, url)) ?? (await loadedBytes(scope, frame, url));
    if (bytes.length === 0 || bytes.length > MAX_PICTURE_BYTES)
      throw new AppError('picture-unusable', 'the picture is empty or too large');
    services.get(personDownloadsToken).save(tab.id, { name: nameOf(url, bytes), url, bytes, addresses });
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    log.info('a picture was not saved', { code, error: message });
    commands.send(notSaved, undefined);
  }
}

/** The bytes that a frame shows: no site is asked again. */
async function shownBytes({ cdp }: HostScope, frame: number | undefined, url: string): Promise<Uint8Array | undefined> {
  const frameId = frame === undefined ? undefined : cdp.frameId(frame);
  if (frame === undefined || frameId === undefined) return undefined;
  try {
    const { content, base64Encoded } = await cdp.send(frame, 'Page.getResourceContent', { frameId, url });
    return Buffer.from(content, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return undefined; // it is gone, or its process keeps the bytes no more
  }
}

/** Has the browser load a picture. Without its own frame there are no cookies: those of another site's frame are not the picture's. */
async function loadedBytes({ cdp }: HostScope, own: number | undefined, url: string): Promise<Uint8Array> {
  const isThere = own !== undefined && cdp.frameId(own) !== undefined;
  const frame = isThere ? own : MAIN_FRAME;
  const options = { disableCache: false, includeCredentials: isThere };
  const params = { frameId: cdp.frameId(frame) ?? '', url, options };
  return cdp.stream(frame, 'Network.loadNetworkResource', params, { maxBytes: MAX_PICTURE_BYTES });
}
