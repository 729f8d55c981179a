import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { dataBytes, MAX_RESOURCE_BYTES, notFound, tooLarge } from '../../resources/data-address.ts';
import type { BodyRoom } from './body-room.ts';
import { freshSeconds } from './freshness.ts';
import { freshSecondsOf, RequestLog } from './request-log.ts';
import type { SeenRequest } from './request-log.ts';
import type { ResourceCdp } from './resource-cdp.ts';

/** Timeout for a resource that the surrogate is loading, in ms, and for the start of its request. */
const LOADING_MS = 20_000;
const BEGINNING_MS = 100;
/**
 * Time in which the surrogate may request what the person's browser has asked for first, in ms: a hover or a scroll reaches it later.
 */
const FOLLOWING_MS = 3000;
/** Time after which the page's process may be stuck, in ms: it hangs, or shows a dialog. */
const STUCK_MS = 1000;
/** Time for an answer of a process that may be stuck, in ms: where the machine is busy it takes its time. */
const ANSWER_MS = 3000;
/** Deadline of one CDP call, in ms. */
const CALL_MS = 10_000;
/** Bytes of a body that a browser sends in a ms on a slow machine. Until then it is not stuck, and answers nothing else. */
const SENT_PER_MS = 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Bytes of a resource. */
interface Body {
  readonly bytes: Uint8Array;
  /** Seconds for which the surrogate would use them without revalidation; see `freshness.ts`. */
  readonly fresh: number;
}

/** The context of a body: a frame, while it shows a document. */
interface Place {
  readonly frame: number;
  readonly document: string;
}

/** The surrogate has not requested an address. */
class Unrequested extends AppError {
  /** Resolves once it does, or when the time is over. */
  readonly followed: () => Promise<void>;

  constructor(followed: () => Promise<void>) {
    super('resource-not-found', 'The page has not requested this resource.');
    this.followed = followed;
  }
}

/**
 * Whether a body was refused since the surrogate has not requested it: waits until it does, or the time is over. Wait without a turn, then try
 * once more.
 */
export async function isFollowed(thrown: unknown): Promise<boolean> {
  if (!(thrown instanceof Unrequested)) return false;
  await thrown.followed();
  return true;
}

/**
 * Gets bodies: from the responses of the frame's document, else by a request with the page's own credentials from
 * within the frame that the address belongs to, which goes through the surrogate's egress like all others.
 */
export class BodySource {
  readonly #cdp: ResourceCdp;
  readonly #requests: RequestLog;
  readonly #room: BodyRoom;

  constructor(cdp: ResourceCdp, room: BodyRoom) {
    this.#cdp = cdp;
    this.#room = room;
    this.#requests = new RequestLog(cdp);
  }

  /**
   * Returns the body that a document (by {@link ResourceCdp.documentOf}) gets for an address, while its frame shows it. Unless `mayRequest`,
   * nothing is requested that the surrogate has not requested itself.
   *
   * @throws AppError `resource-not-found`, which {@link isFollowed} takes where the surrogate has not requested it; `resource-too-large`, `resource-timeout`.
   */
  async body(address: string, frame: number, document: string | undefined, mayRequest: boolean): Promise<Body> {
    if (address.startsWith('data:')) return { bytes: dataBytes(address), fresh: Infinity };
    if (document === undefined) throw notFound();
    const place = { frame, document };
    const usual = this.#usual(address, place, mayRequest);
    const sending = (): number => sendingMs(this.#requests.get(document, address));
    while (!(await isSettledWithin(usual, STUCK_MS + sending()))) {
      // Chromium's network cache has it, or waits for the page's own request.
      if ((mayRequest || this.#requests.get(document, address)) && !(await this.#answers(frame, ANSWER_MS + sending())))
        return this.#fetched(address, place).catch(() => usual);
    }
    return usual;
  }

  async #usual(address: string, place: Place, mayRequest: boolean): Promise<Body> {
    const { document } = place;
    const body = (await this.#seen(place, address)) ?? (await this.#cached(address, place));
    if (body) return body;
    await this.#requests.expected(document, address, BEGINNING_MS);
    const seen = await this.#seen(place, address);
    if (seen) return seen;
    if (!mayRequest && !this.#requests.get(document, address))
      throw new Unrequested(() => this.#requests.expected(document, address, FOLLOWING_MS));
    return this.#fetched(address, place);
  }

  /**
   * Call it before a request to a frame, and after the answer: by then another document, perhaps of another site, may
   * have answered.
   */
  #check({ frame, document }: Place): void {
    if (this.#cdp.documentOf(frame) !== document) throw notFound();
  }

  /** Whether the process of a frame responds within this time. */
  async #answers(frame: number, deadlineMs: number): Promise<boolean> {
    try {
      await this.#cdp.send(frame, 'Runtime.evaluate', { expression: '0' }, { deadlineMs });
      return true;
    } catch (thrown) {
      return toAppError(thrown).code !== 'cdp-timeout';
    }
  }

  /** From a request of the document that was observed. */
  async #seen(place: Place, address: string): Promise<Body | undefined> {
    const { frame, document } = place;
    const request = this.#requests.get(document, address);
    if (!request) return undefined;
    await this.#requests.settled(request, LOADING_MS, () => this.#cdp.documentOf(frame) !== document);
    this.#check(place);
    if (request.state === 'pending') throw late();
    if (request.state === 'blocked') throw notFound(); // a body that the page may not read does not appear in the mirror either
    if (request.state === 'failed') return undefined;
    return this.#bodyOf(request, address);
  }

  async #bodyOf(request: SeenRequest, address: string): Promise<Body | undefined> {
    const { requestId, origin } = request;
    if (request.bytes > MAX_RESOURCE_BYTES) throw tooLarge();
    const release = await this.#room.take(this, request.bytes);
    try {
      const { body, base64Encoded } = await origin.send(
        'Network.getResponseBody',
        { requestId },
        { deadlineMs: CALL_MS + sendingMs(request) },
      );
      const bytes = decoded(body, base64Encoded);
      return bytes.length === 0 ? undefined : { bytes, fresh: freshSecondsOf(request, address) };
    } catch {
      return undefined; // evicted, or its process has ended
    } finally {
      release();
    }
  }

  /** From the frame's own memory. */
  async #cached(url: string, place: Place): Promise<Body | undefined> {
    this.#check(place);
    const { frame } = place;
    const frameId = this.#cdp.frameId(frame);
    if (frameId === undefined) return undefined;
    const options = { deadlineMs: CALL_MS };
    const release = await this.#room.take(this, MAX_RESOURCE_BYTES); // nobody knows its size
    try {
      const found = await this.#cdp
        .send(frame, 'Page.getResourceContent', { frameId, url }, options)
        .catch(() => undefined); // not cached
      this.#check(place);
      if (!found) return undefined;
      const bytes = decoded(found.content, found.base64Encoded);
      // Only the page can change a blob of its own, and then it has another address.
      return bytes.length === 0 ? undefined : { bytes, fresh: url.startsWith('blob:') ? Infinity : 0 };
    } finally {
      release();
    }
  }

  async #fetched(url: string, place: Place): Promise<Body> {
    this.#check(place);
    const { frame } = place;
    const frameId = this.#cdp.frameId(frame);
    if (frameId === undefined || !/^https?:/.test(url)) throw notFound();
    const options = { disableCache: false, includeCredentials: true };
    const call = { deadlineMs: CALL_MS };
    const { resource } = await this.#cdp
      .send(frame, 'Network.loadNetworkResource', { frameId, url, options }, call)
      .catch((cause: unknown) => {
        throw toAppError(cause).code === 'cdp-timeout' ? late(cause) : notFound(cause);
      });
    const { stream: handle } = resource;
    if (handle === undefined) throw notFound();
    try {
      this.#check(place);
      const { success, httpStatusCode: status = 0, headers = {} } = resource;
      if (!success || status >= 400) throw notFound();
      const fresh = freshSeconds({ status, headers: headers }, Date.now());
      return { bytes: await this.#read(frame, handle), fresh };
    } finally {
      this.#cdp.send(frame, 'IO.close', { handle }).catch(() => undefined); // the frame was removed, and the stream with it
    }
  }

  async #read(frame: number, handle: string): Promise<Uint8Array> {
    const release = await this.#room.take(this, MAX_RESOURCE_BYTES); // nobody knows its size
    try {
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
    } finally {
      release();
    }
  }
}

function late(cause?: unknown): AppError {
  return new AppError('resource-timeout', 'The page is still loading it.', { retryable: true, cause });
}

/** Time in which the body of a request may be on its way from the browser, in ms. */
function sendingMs(request: SeenRequest | undefined): number {
  return Math.min(request?.bytes ?? 0, MAX_RESOURCE_BYTES) / SENT_PER_MS;
}

/** Whether a promise settles before the time is over. */
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
