import { pastedFilesToken } from '../../../core/index.ts';
import { permitted } from '../policy.ts';
import type { Pasted } from '../policy.ts';
import { execCommand, MAX_PICTURE_BYTES, MAX_TEXT, paste, PICTURE_TYPES } from '../protocol.ts';
import type { ClipboardSession } from './index.ts';
import type { readPasted } from './read-pasted.ts';
import type { Shortcuts } from './shortcuts.ts';

/**
 * Sends the page what the person pastes into a frame, as far as the policy lets: the host decides again (S-090). Files but a single picture are
 * left to the plugin that brings files into pages.
 */
export function takePaste(
  session: ClipboardSession,
  data: DataTransfer | null,
  frame: number,
  shortcuts: Shortcuts,
): void {
  const { scope, own, put } = session;
  const { commands } = scope;
  const { isHeld: byKey, isPlain, meta } = shortcuts;
  // Platforms break lines differently.
  const text = (data?.getData('text/plain') ?? '').replaceAll('\r\n', '\n');
  const html = isPlain ? '' : (data?.getData('text/html') ?? '');
  // Not in multi-page apps (S-090).
  const isApp = scope.session.pairing.mpa_id !== undefined;
  const rtf = isPlain || isApp ? '' : (data?.getData('text/rtf') ?? '');
  const picture = isPlain ? undefined : pictureOf(data);
  const isOwn = own !== undefined && (own === '' || own.replaceAll('\r\n', '\n') === text);
  const isBrought = data && scope.services.find(pastedFilesToken)?.take(data, frame, picture !== undefined);
  if (isBrought || (text + html + rtf === '' && !picture)) {
    const mayBeKept = put !== undefined || own === ''; // by the page alone
    const command = isBrought ? 'file-paste' : mayBeKept ? 'paste' : 'empty-paste';
    commands.send(execCommand, { command, by_key: byKey });
    return;
  }
  const rules = session.policy(frame);
  const verdict = permitted(rules, { text, html, rtf, ...(picture && { picture }) });
  if ('reason' in verdict) {
    session.refuse({ action: 'paste', reason: verdict.reason }, rules);
    return;
  }
  const content: Pasted & { readonly picture?: File } = verdict.content;
  const pictureBytes = content.picture?.size ?? 0;
  const texts = [content.text ?? '', content.html ?? '', content.rtf ?? ''];
  if (pictureBytes > MAX_PICTURE_BYTES || texts.some(({ length }) => length > MAX_TEXT)) {
    session.refuse({ action: 'paste', reason: 'unusable' });
    return;
  }
  const encoded = texts.map((each) => new TextEncoder().encode(each));
  const [textBytes = 0, htmlBytes = 0, rtfBytes = 0] = encoded.map(({ length }) => length);
  const sizes = { text: textBytes, html: htmlBytes, rtf: rtfBytes, picture: pictureBytes };
  commands.send(
    paste,
    { ...sizes, own: isOwn, plain: isPlain, by_key: byKey, meta },
    { body: bytesOf(encoded, content.picture, scope.events) },
  );
}

/** Bytes to send: the code that reads them is loaded meanwhile, and what the person does next waits for them in its place. */
async function* bytesOf(...pasted: Parameters<typeof readPasted>): AsyncGenerator<Uint8Array, void> {
  const reading = await import('./read-pasted.ts');
  yield* reading.readPasted(...pasted);
}

/** The first picture of what is pasted. Other files are not the clipboard's to bring into the page. */
function pictureOf(data: DataTransfer | null): File | undefined {
  const file = [...(data?.items ?? [])].find(({ kind, type }) => kind === 'file' && PICTURE_TYPES.includes(type));
  return file?.getAsFile() ?? undefined;
}
