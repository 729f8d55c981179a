import type { Protocol } from 'devtools-protocol';
import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { MAX_KEPT_COOKIES_BYTES } from '../../base/kept-cookies.ts';
import type { KeptCookies } from '../../base/kept-cookies.ts';

/** Cookies of a surrogate, as it reports them. */
type Cookies = readonly Protocol.Network.Cookie[];

/** Options of a cookie jar. */
interface CookieJarOptions {
  readonly subject: string;
  readonly kept: KeptCookies;
  /** Whether policy permits restoring tabs. */
  readonly mayKeep: () => boolean;
  readonly log: Log;
}

/**
 * The cookies of one person's surrogates: a new surrogate starts with those of the last one, in this host or in one
 * that is started after it was killed. The caller empties it.
 */
export class CookieJar {
  readonly #options: CookieJarOptions;
  #cookies: Cookies | undefined;
  #text = '';
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  /** While a surrogate has not got its cookies yet, there is nothing to read. */
  #isFilling = false;
  #closed = false;
  #isEmptied = false;

  constructor(options: CookieJarOptions) {
    this.#options = options;
  }

  /**
   * Sets the cookies of the last surrogate in a new one, before its first page. Never rejects: a surrogate without
   * cookies is better than none.
   */
  async fill(root: CdpSession): Promise<void> {
    const { subject, kept, mayKeep, log } = this.#options;
    if (!mayKeep()) return;
    this.#isFilling = true;
    try {
      const cookies = this.#cookies ?? parsed(await kept.find(subject));
      if (cookies.length === 0) return;
      await root.send('Storage.setCookies', { cookies: cookies.map(asParam) });
      log.info('cookies restored', { count: cookies.length });
    } catch (thrown) {
      log.error('cookies could not be restored', { error: toAppError(thrown).message });
    } finally {
      this.#isFilling = false;
    }
    this.look(root);
  }

  /** Reads the surrogate's cookies. One read at a time; never rejects. */
  look(root: CdpSession): void {
    if (this.#closed || this.#isFilling) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#look(root).finally(() => {
      this.#looking = undefined;
      if (!this.#lookAgain) return;
      this.#lookAgain = false;
      this.look(root);
    });
  }

  /** Reads the cookies for the last time, and leaves them on disk. Never rejects. */
  async leave(root: CdpSession | undefined): Promise<void> {
    this.#closed = true;
    await this.#looking; // it may have begun before the last change
    if (root && !this.#isFilling) await this.#look(root);
    this.#cookies = undefined;
  }

  /** Deletes all cookies, on disk too. Never rejects. */
  async empty(): Promise<void> {
    const { subject, kept, log } = this.#options;
    this.#closed = this.#isEmptied = true;
    await this.#looking;
    this.#cookies = undefined;
    await kept.forget(subject).catch((thrown: unknown) => {
      log.error('cookies could not be deleted from disk', { error: toAppError(thrown).message });
    });
  }

  async #look(root: CdpSession): Promise<void> {
    const { subject, kept, mayKeep, log } = this.#options;
    try {
      if (!mayKeep()) {
        this.#cookies = undefined;
        if (this.#text !== '') await kept.forget(subject);
        this.#text = '';
        return;
      }
      const { cookies } = await root.send('Storage.getCookies');
      const text = JSON.stringify(cookies);
      this.#cookies = cookies;
      if (text === this.#text || this.#isEmptied) return;
      this.#text = text;
      const bytes = Buffer.from(text);
      if (bytes.length > MAX_KEPT_COOKIES_BYTES)
        throw new AppError('cookies-too-large', `The cookies have ${bytes.length} bytes.`);
      await kept.keep(subject, bytes);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (!code.startsWith('cdp-')) log.error('cookies could not be saved', { error: message });
    }
  }
}

/** Cookies as {@link CookieJar} has written them; none where a crash has cut the file off. The browser checks each. */
function parsed(kept: Uint8Array | undefined): Cookies {
  try {
    const cookies = JSON.parse(Buffer.from(kept ?? []).toString()) as unknown;
    return Array.isArray(cookies) ? (cookies as Cookies) : [];
  } catch {
    return [];
  }
}

/**
 * A cookie in the format to set it. A host-only cookie is set by URL: with a domain it would apply to all hosts below.
 */
function asParam(cookie: Protocol.Network.Cookie): Protocol.Network.CookieParam {
  const { name, value, domain, path, expires, httpOnly, secure, session, sameSite, priority, partitionKey } = cookie;
  return {
    name,
    value,
    path,
    httpOnly,
    secure,
    priority,
    ...(domain.startsWith('.') ? { domain } : { url: `${secure ? 'https' : 'http'}://${domain}${path}` }),
    ...(!session && { expires }),
    ...(sameSite !== undefined && { sameSite }),
    ...(partitionKey !== undefined && { partitionKey }),
  };
}
