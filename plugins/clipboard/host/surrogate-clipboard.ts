import { onAbort } from '../../../core/protocol/on-abort.ts';
import { AppError, toAppError } from '../../../host/plugin.ts';
import type { ExtensionPage } from '../../../host/plugin.ts';
import type { Clipboard, ClipboardContent, HeldClipboard } from './clipboard.ts';

/** Most that is read of a clipboard, in UTF-16 units and in bytes; what is longer it does not have. */
const MAX_CLIPBOARD_TEXT = 2_000_000;
const MAX_CLIPBOARD_PICTURE = 16 * 1024 * 1024;
/** A page that nobody has copied or pasted by for so long is closed, in ms: it takes some memory. */
const CLOSE_AFTER_MS = 60_000;
const DEADLINE_MS = 10_000;

/** Types of Rich Text. */
const RTF_TYPES = ['text/rtf', 'application/rtf'];

/** Puts texts there as a page's own copying does, by type: they stay as they are. */
const WRITE_TEXTS = `(items) => {
  const fill = (event) => {
    event.preventDefault();
    for (const [type, text] of items) event.clipboardData.setData(type, text);
  };
  document.addEventListener('copy', fill, { once: true });
  if (!document.execCommand('copy')) throw new Error('refused');
}`;

/** Empties it: a copy of nothing would leave what it has. */
const CLEAR = `() => navigator.clipboard.writeText('')`;

/** Puts a picture there, decoded here, where a hostile one can do no harm; Chromium makes its texts safe then. */
const WRITE_PICTURE = `async (items, base64) => {
  const bytes = new Blob([Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))]);
  const bitmap = await createImageBitmap(bytes);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
  const texts = items.map(([type, text]) => [type, new Blob([text], { type })]);
  const picture = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ ...Object.fromEntries(texts), 'image/png': picture })]);
}`;

/** Reads what may leave: HTML that Chromium has made safe, pictures that it has encoded anew. */
const READ = `async () => {
  const [item] = await navigator.clipboard.read();
  const found = {};
  for (const type of item?.types ?? []) {
    if (!['text/plain', 'text/html', 'image/png'].includes(type)) continue;
    const blob = await item.getType(type);
    if (type !== 'image/png') {
      const text = await blob.text();
      if (text !== '' && text.length <= ${MAX_CLIPBOARD_TEXT}) found[type === 'text/plain' ? 'text' : 'html'] = text;
    } else if (blob.size <= ${MAX_CLIPBOARD_PICTURE}) {
      const read = new FileReader();
      await new Promise((resolve, reject) => {
        read.onload = resolve;
        read.onerror = reject;
        read.readAsDataURL(blob);
      });
      found.picture = read.result.slice(read.result.indexOf(',') + 1);
    }
  }
  return found;
}`;

/**
 * The clipboard of one surrogate, which has it within itself: no other browser of the machine sees it. It is worked from a page of our own in
 * that browser, one that no site can reach: pages of sites are not asked, need no permission, and notice nothing. The page is opened
 * when it is first needed, and goes with its browser. Whoever made it disposes of it.
 */
export class SurrogateClipboard implements Clipboard {
  readonly #open: () => Promise<ExtensionPage>;
  #page: Promise<ExtensionPage> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closing: NodeJS.Timeout | undefined;

  /** `open` answers with a page that may use the clipboard. */
  constructor(open: () => Promise<ExtensionPage>) {
    this.#open = open;
  }

  warm(): void {
    this.#ready().catch(() => undefined); // its user gets the error
  }

  use<T>(run: (held: HeldClipboard) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => run(this.#held));
    this.#turn = turn.catch(() => undefined); // its caller gets the error
    return turn;
  }

  readonly #held: HeldClipboard = {
    read: async () => contentOf(await this.#call(READ)),
    write: async ({ text, html, rtf, picture }) => {
      const items = [
        ...(html === undefined ? [] : [['text/html', html]]),
        ...(text === undefined ? [] : [['text/plain', text]]),
        ...(rtf === undefined ? [] : RTF_TYPES.map((type) => [type, rtf])),
      ];
      if (picture && rtf === undefined) await this.#call(WRITE_PICTURE, items, Buffer.from(picture).toString('base64'));
      else if (items.length > 0) await this.#call(WRITE_TEXTS, items);
      else await this.#call(CLEAR);
    },
  };

  async #call(script: string, ...args: unknown[]): Promise<unknown> {
    const page = await this.#ready();
    try {
      return await page.call(script, args, { deadlineMs: DEADLINE_MS });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      throw code === 'script-failed' ? new AppError('clipboard-failed', message, { cause: thrown }) : thrown;
    }
  }

  #ready(): Promise<ExtensionPage> {
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => this.dispose(), CLOSE_AFTER_MS).unref();
    if (this.#page) return this.#page;
    const opening = (this.#page = this.#open());
    const gone = (): void => {
      if (this.#page === opening) this.#forget();
    };
    opening.then((page) => {
      onAbort(page.closed, gone);
    }, gone);
    return opening;
  }

  /** Closes the page; it is opened again when it is needed. */
  dispose(): void {
    const page = this.#page;
    this.#forget();
    page?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  #forget(): void {
    this.#page = undefined;
    clearTimeout(this.#closing);
  }
}

/** Validates the content, which comes from a page's own process. */
function contentOf(value: unknown): ClipboardContent {
  const found = Object(value) as Readonly<Record<keyof ClipboardContent, unknown>>; // checked below
  const text = (given: unknown, max: number): string | undefined =>
    typeof given === 'string' && given !== '' && given.length <= max ? given : undefined;
  const [plain, html] = [text(found.text, MAX_CLIPBOARD_TEXT), text(found.html, MAX_CLIPBOARD_TEXT)];
  const picture = text(found.picture, (4 * MAX_CLIPBOARD_PICTURE) / 3 + 4);
  return {
    ...(plain !== undefined && { text: plain }),
    ...(html !== undefined && { html }),
    ...(picture !== undefined && { picture: Buffer.from(picture, 'base64') }),
  };
}
