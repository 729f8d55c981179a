import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { dataBytes, MAX_RESOURCE_BYTES, notFound, tooLarge } from '../../resources/data-address.ts';
import { RequestLog } from './request-log.ts';
import type { SeenRequest } from './request-log.ts';
import type { ResourceCdp } from './resource-cdp.ts';

/** How long a resource that the surrogate is loading is waited for, in ms; and how long for it to begin. */
const LOADING_MS = 20_000;
const BEGINNING_MS = 100;
/** A body that has not come by then may be one that the page's process does not hand out: it hangs, or shows a dialog. */
const STUCK_MS = 1000;
/** Deadline of one CDP call, in ms. */
const CALL_MS = 10_000;
const CHUNK_BYTES = 1024 * 1024;

/** Bytes of a resource, and whether the person's browser may keep them. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly keep: boolean;
}

/**
 * Gets bodies: from what the surrogate has already fetched, else by a request with the page's own credentials from within the frame
 * that the address belongs to, which goes through the surrogate's egress like all others.
 */
export class BodySource {
  readonly #cdp: ResourceCdp;
  readonly #requests: RequestLog;

  constructor(cdp: ResourceCdp) {
    this.#cdp = cdp;
    this.#requests = new RequestLog(cdp);
  }

  /** @throws AppError `resource-not-found`, `resource-too-large`, `resource-timeout`. */
  async body(address: string, frame: number): Promise<Body> {
    if (address.startsWith('data:')) return { bytes: dataBytes(address), keep: true };
    const usual = this.#usual(address, frame);
    while (!(await isSettledWithin(usual, STUCK_MS))) {
      // Chromium's network cache has it, or waits for the page's own request.
      if (!(await this.#answers(frame))) return this.#fetched(address, frame).catch(() => usual);
    }
    return usual;
  }

  async #usual(address: string, frame: number): Promise<Body> {
    const body = (await this.#seen(address)) ?? (await this.#cached(address, frame));
    if (body) return body;
    await this.#requests.expected(address, BEGINNING_MS);
    return (await this.#seen(address)) ?? this.#fetched(address, frame);
  }

  /** Whether the process of a frame hands anything out now. */
  async #answers(frame: number): Promise<boolean> {
    try {
      await this.#cdp.send(frame, 'Runtime.evaluate', { expression: '0' }, { deadlineMs: STUCK_MS });
      return true;
    } catch (thrown) {
      return toAppError(thrown).code !== 'cdp-timeout';
    }
  }

  /** From a request that has been seen. */
  async #seen(address: string): Promise<Body | undefined> {
    const request = this.#requests.get(address);
    if (!request) return undefined;
    await this.#requests.settled(request, LOADING_MS);
    if (request.state === 'pending')
      throw new AppError('resource-timeout', 'The page is still loading it.', { retryable: true });
    if (request.state === 'blocked') throw notFound(); // what the page may not have does not show in the mirror either
    if (request.state === 'failed') return undefined;
    return this.#bodyOf(request);
  }

  async #bodyOf({ requestId, origin, keep }: SeenRequest): Promise<Body | undefined> {
    try {
      const { body, base64Encoded } = await origin.send(
        'Network.getResponseBody',
        { requestId },
        { deadlineMs: CALL_MS },
      );
      const bytes = decoded(body, base64Encoded);
      return bytes.length === 0 ? undefined : { bytes, keep };
    } catch {
      return undefined; // evicted, or its process is gone
    }
  }

  /** From the frame's own memory. */
  async #cached(url: string, frame: number): Promise<Body | undefined> {
    const frameId = this.#cdp.frameId(frame);
    if (frameId === undefined) return undefined;
    try {
      const options = { deadlineMs: CALL_MS };
      const found = await this.#cdp.send(frame, 'Page.getResourceContent', { frameId, url }, options);
      const bytes = decoded(found.content, found.base64Encoded);
      return bytes.length === 0 ? undefined : { bytes, keep: true };
    } catch {
      return undefined; // not there
    }
  }

  async #fetched(url: string, frame: number): Promise<Body> {
    const frameId = this.#cdp.frameId(frame);
    if (frameId === undefined || !/^https?:/.test(url)) throw notFound();
    const options = { disableCache: false, includeCredentials: true };
    const call = { deadlineMs: CALL_MS };
    const { resource } = await this.#cdp
      .send(frame, 'Network.loadNetworkResource', { frameId, url, options }, call)
      .catch((cause: unknown) => {
        throw notFound(cause);
      });
    const { stream: handle } = resource;
    if (handle === undefined) throw notFound();
    try {
      if (!resource.success || (resource.httpStatusCode ?? 0) >= 400) throw notFound();
      return { bytes: await this.#read(frame, handle), keep: true };
    } finally {
      this.#cdp.send(frame, 'IO.close', { handle }).catch(() => undefined); // the frame is gone, and the stream with it
    }
  }

  async #read(frame: number, handle: string): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const { data, base64Encoded, eof } = await this.#cdp.send(frame, 'IO.read', { handle, size: CHUNK_BYTES });
      const bytes = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      length += bytes.length;
      if (length > MAX_RESOURCE_BYTES) throw tooLarge();
      chunks.push(bytes);
      if (eof) return Buffer.concat(chunks, length);
    }
  }
}

/** Whether a promise is settled before the time is over. */
async function isSettledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => (timer = setTimeout(() => done(false), ms)));
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

function decoded(content: string, base64: boolean): Uint8Array {
  if (content.length > MAX_RESOURCE_BYTES * 2) throw tooLarge();
  const bytes = Buffer.from(content, base64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_RESOURCE_BYTES) throw tooLarge();
  return bytes;
}
