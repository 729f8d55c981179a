import { fontFamilies } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';

/** Maximum number of responses that are kept. */
const MAX_RESPONSES = 100;
/** Deadline of one CDP call, in ms. */
const CALL_MS = 3000;
/** Types of responses that are not fonts. */
const OTHER_TYPES = /^(?:text|image|audio|video)\/|json|javascript|xml/;

interface Fetched {
  readonly requestId: string;
  readonly address: string;
  /** Frame on whose session it was seen. */
  readonly frame: number;
  /** Its families, looked up when a face is loaded. */
  families?: Promise<ReadonlySet<string> | undefined>;
  isUsed: boolean;
}

/** Responses that scripts of the page have fetched and that may be fonts: faces made of such bytes have no address. */
export class FetchedFonts {
  readonly #cdp: HostScope['cdp'];
  #fetched: Fetched[] = [];

  constructor({ cdp }: Pick<HostScope, 'cdp'>) {
    this.#cdp = cdp;
    cdp.on('Network.responseReceived', ({ requestId, type, response: { url, mimeType } }, { frame }) => {
      if ((type !== 'Fetch' && type !== 'XHR') || !/^https?:/.test(url) || OTHER_TYPES.test(mimeType)) return;
      this.#fetched.push({ requestId, address: url, frame, isUsed: false });
      if (this.#fetched.length > MAX_RESPONSES) this.#fetched.shift();
    });
  }

  /** Returns the address of the bytes of a face, by the family in its name table: the first one that is not used yet. */
  async address(family: string): Promise<string | undefined> {
    const fetched = this.#fetched;
    let first: Fetched | undefined;
    // One at a time: the bodies could be large.
    for (const each of [...fetched]) {
      each.families ??= this.#families(each);
      const families = await each.families;
      if (fetched !== this.#fetched) return undefined; // another page has started
      if (!families?.has(family)) continue;
      first ??= each;
      if (each.isUsed) continue;
      each.isUsed = true;
      return each.address;
    }
    return first?.address;
  }

  /** Called when another page starts. */
  forget(): void {
    this.#fetched = [];
  }

  async #families(fetched: Fetched): Promise<ReadonlySet<string> | undefined> {
    const { requestId, frame } = fetched;
    try {
      const call = { deadlineMs: CALL_MS };
      const { body, base64Encoded } = await this.#cdp.send(frame, 'Network.getResponseBody', { requestId }, call);
      return await fontFamilies(Buffer.from(body, base64Encoded ? 'base64' : 'utf8'));
    } catch {
      delete fetched.families; // it may still be loading
      return undefined;
    }
  }
}
