import type { ByteStream } from '../../../core/index.ts';
import type { Copied } from '../protocol.ts';
import type { ClipboardSession } from './index.ts';

/** A part of a clipboard's content, by the name that it has there. */
type Items = Readonly<Record<string, Blob>>;

/** The copy of the view that the page answers, as far as there is one. */
interface Answered {
  /** The text that the view has put into the person's clipboard. */
  readonly put: string | undefined;
  /** The focus has left the view since: the person may have copied something elsewhere. */
  readonly hasLeft: boolean;
}

/**
 * Puts what the page has copied into the person's clipboard, with the picture that `body` brings, unless the page has copied again meanwhile.
 */
export async function keep(
  session: ClipboardSession,
  content: Copied,
  body: ByteStream,
  { put, hasLeft }: Answered,
  isLatest: () => boolean,
): Promise<void> {
  const { text = '', html } = content;
  const isThere = text === put;
  if (hasLeft && put && html !== undefined && isSameText(text, put)) {
    body.cancel();
    return;
  }
  try {
    const picture = new Blob([await body.bytes()], { type: 'image/png' });
    if (!isLatest() || (isThere && html === undefined && picture.size === 0)) return;
    await writeClipboard(content, picture);
    session.own = text;
  } catch (thrown) {
    if (!isLatest()) return;
    session.scope.events.report('tc-clipboard-copy-failure', { why: String(thrown) }, { level: 'warning' });
    if (isThere) return;
    session.own = '';
    session.refuse({ action: 'copy', reason: 'unusable' });
  }
}

/** Whether texts are the same but for white space: a browser's text of rich text is not the view's to the last blank. */
function isSameText(one: string, other: string): boolean {
  return one.replace(/\s+/g, '') === other.replace(/\s+/g, '');
}

/**
 * Puts what the page has copied into the person's clipboard; a picture of no bytes is none.
 *
 * @throws whatever the browser says where it does not let us: out of focus, long after the person's gesture, or by its settings.
 */
async function writeClipboard(content: Copied, picture: Blob): Promise<void> {
  const { text, html } = content;
  // Browsers leave it out where the connection is not secure.
  const { clipboard } = navigator as Partial<Navigator>;
  if (!clipboard) {
    copyByEvent(content);
    return;
  }
  const items: Items = {
    ...(text !== undefined && { 'text/plain': new Blob([text], { type: 'text/plain' }) }),
    ...(html !== undefined && { 'text/html': new Blob([html], { type: 'text/html' }) }),
    ...(picture.size > 0 && { 'image/png': picture }),
  };
  await clipboard.write([new ClipboardItem(items)]);
}

/** Older means, for texts alone. */
function copyByEvent({ text, html }: Copied): void {
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault();
    if (text !== undefined) event.clipboardData?.setData('text/plain', text);
    if (html !== undefined) event.clipboardData?.setData('text/html', html);
  };
  document.addEventListener('copy', fill, { once: true });
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', fill);
  if (!isDone) throw new Error('the browser does not let the page copy');
}
