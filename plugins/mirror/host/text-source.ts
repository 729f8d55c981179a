import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { resolve } from './sanitize/addresses.ts';
import type { HostScope } from '../../../host/plugin.ts';

/** Deadline of one query to Chromium, in ms: it does not answer while the page shows a dialog. */
const LOOK_DEADLINE_MS = 2000;
/** Delay between two queries for a sheet that has not arrived, in ms; it doubles up to the longest. */
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1600;
/** Time after which a sheet is given up, in ms. */
const GIVE_UP_MS = 30_000;

/** Maximum number of files that a tab waits for; those past it do not load. Each is asked for again and again. */
export const MAX_LOADS = 300;

/** Maps style sheets to Chromium's ids. */
export interface SheetIds {
  idOf(frame: number, address: string): string | undefined;
}

/** Loads the source text of a file; see {@link TextSource}. */
export type LoadText = (frame: number, address: string) => Promise<string | undefined>;

/** Loads the source text of style sheets and other files from the surrogate; never makes it fetch anything. */
export class TextSource {
  readonly #scope: Pick<HostScope, 'cdp' | 'signal'>;
  readonly #ids: SheetIds;
  readonly #inFlight = new Map<string, Promise<string | undefined>>();
  /** Number of documents that frames have shown, as far as known. */
  readonly #documents = new Map<number, number>();

  constructor(scope: Pick<HostScope, 'cdp' | 'signal'>, ids: SheetIds) {
    this.#scope = scope;
    this.#ids = ids;
  }

  /** Resolves to the text once it is loaded; to undefined if it does not load, or the document or the scope is closed. Never rejects. */
  load(frame: number, address: string): Promise<string | undefined> {
    const key = `${frame} ${this.#documents.get(frame) ?? 0} ${address}`;
    let loading = this.#inFlight.get(key);
    if (!loading) {
      if (this.#inFlight.size >= MAX_LOADS) return Promise.resolve(undefined);
      loading = this.#load(frame, address).finally(() => this.#inFlight.delete(key));
      this.#inFlight.set(key, loading);
    }
    return loading;
  }

  /** Called when a frame shows another document: pending loads belong to the old one. */
  begin(frame: number): void {
    this.#documents.set(frame, (this.#documents.get(frame) ?? 0) + 1);
  }

  /** Called when a frame is removed; its number is not used again. */
  forget(frame: number): void {
    this.#documents.delete(frame);
  }

  async #load(frame: number, address: string): Promise<string | undefined> {
    const document = this.#documents.get(frame);
    if (address.startsWith('data:')) return dataText(address);
    const until = performance.now() + GIVE_UP_MS;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      const frameId = this.#scope.cdp.frameId(frame);
      if (frameId === undefined || this.#scope.signal.aborted) return undefined;
      const text = await this.#look(frame, frameId, address);
      if (this.#documents.get(frame) !== document) return undefined;
      if (text === undefined && (await this.#hasFailed(frame, frameId, address))) return undefined;
      if (text !== undefined || performance.now() + wait > until) return text;
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  async #look(frame: number, frameId: string, url: string): Promise<string | undefined> {
    const { cdp } = this.#scope;
    const options = { deadlineMs: LOOK_DEADLINE_MS };
    try {
      const { content, base64Encoded } = await cdp.send(frame, 'Page.getResourceContent', { frameId, url }, options);
      return base64Encoded ? Buffer.from(content, 'base64').toString() : content;
    } catch {
      // Not loaded yet, or evicted: the sheet of a revoked blob is only available by its id.
    }
    const styleSheetId = this.#ids.idOf(frame, url);
    if (styleSheetId === undefined) return undefined;
    try {
      return (await cdp.send(frame, 'CSS.getStyleSheetText', { styleSheetId }, options)).text;
    } catch {
      return undefined;
    }
  }

  /** Whether the surrogate has failed to load it: no text will come. */
  async #hasFailed(frame: number, frameId: string, url: string): Promise<boolean> {
    try {
      const options = { deadlineMs: LOOK_DEADLINE_MS };
      const { frameTree } = await this.#scope.cdp.send(frame, 'Page.getResourceTree', undefined, options);
      const resources = frameIn(frameTree, frameId)?.resources ?? [];
      return resources.some((resource) => resource.url === url && (resource.failed || resource.canceled));
    } catch {
      return false;
    }
  }
}

function frameIn(tree: Protocol.Page.FrameResourceTree, frameId: string): Protocol.Page.FrameResourceTree | undefined {
  if (tree.frame.id === frameId) return tree;
  for (const child of tree.childFrames ?? []) {
    const found = frameIn(child, frameId);
    if (found) return found;
  }
  return undefined;
}

/** Returns the text of a data address, whatever its type. */
function dataText(address: string): string | undefined {
  const url = resolve(address, address)?.href;
  const comma = url?.indexOf(',') ?? -1;
  if (url === undefined || comma < 0) return undefined;
  const body = url.slice(comma + 1);
  const bytes = percentDecode(body);
  return /;\s*base64\s*$/i.test(url.slice(0, comma))
    ? Buffer.from(bytes.toString('latin1'), 'base64').toString()
    : bytes.toString();
}

function percentDecode(text: string): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const [high, low] = bytes[at] === 0x25 ? [digit(bytes[at + 1]), digit(bytes[at + 2])] : [-1, -1];
    const isEscape = high >= 0 && low >= 0;
    bytes[length++] = isEscape ? high * 16 + low : (bytes[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

/** Value of a character as a hexadecimal digit; -1 for others. */
function digit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
