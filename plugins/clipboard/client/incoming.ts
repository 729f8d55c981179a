import { permitted } from '../policy.ts';
import type { Pasted } from '../policy.ts';
import { execCommand, MAX_PART, MAX_PICTURE_BYTES, MAX_TEXT, paste, pastePart, PICTURE_TYPES } from '../protocol.ts';
import type { Kind } from '../protocol.ts';
import type { ClipboardSession } from './index.ts';
import type { Shortcuts } from './shortcuts.ts';

const TEXT_KINDS = ['text', 'html', 'rtf'] as const;
let last = 0;

/** Sends the page what the person pastes, as far as the policy lets: the host decides again (S-090). */
export function takePaste(session: ClipboardSession, data: DataTransfer | null, shortcuts: Shortcuts): void {
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
  if (text + html + rtf === '' && !picture) {
    const mayBeKept = put !== undefined || own === ''; // by the page alone
    commands.send(execCommand, { command: mayBeKept ? 'paste' : 'empty-paste', by_key: byKey });
    return;
  }
  const verdict = permitted(session.policy(), { text, html, rtf, ...(picture && { picture }) });
  if ('reason' in verdict) {
    session.refuse({ action: 'paste', reason: verdict.reason });
    return;
  }
  const content: Pasted & { readonly picture?: File } = verdict.content;
  const isTooLarge = (content.picture?.size ?? 0) > MAX_PICTURE_BYTES;
  const texts = { text: content.text ?? '', html: content.html ?? '', rtf: content.rtf ?? '' };
  if (isTooLarge || Object.values(texts).some(({ length }) => length > MAX_TEXT)) {
    session.refuse({ action: 'paste', reason: 'unusable' });
    return;
  }
  const id = (last += 1);
  commands.send(paste, {
    id,
    text: texts.text.length,
    html: texts.html.length,
    rtf: texts.rtf.length,
    picture: 4 * Math.ceil((content.picture?.size ?? 0) / 3),
    own: isOwn,
    plain: isPlain,
    by_key: byKey,
    meta,
  });
  const send = (kind: Kind, part: string | null): Promise<unknown> =>
    commands.call(pastePart, { id, kind, data: part });
  const failed = (name: 'tc-paste-error' | 'tc-image-paste-error') => (thrown: unknown) =>
    scope.events.report(name, { why: String(thrown) }, { level: 'error' });
  for (const kind of TEXT_KINDS)
    for (const part of partsOf(texts[kind])) send(kind, part).catch(failed('tc-paste-error'));
  if (content.picture)
    sendPicture(content.picture, (part) => send('picture', part)).catch((thrown: unknown) => {
      failed('tc-image-paste-error')(thrown);
      send('picture', null).catch(failed('tc-paste-error'));
    });
}

/** The first picture of what is pasted. Other files are not the clipboard's to bring into the page. */
function pictureOf(data: DataTransfer | null): File | undefined {
  const file = [...(data?.items ?? [])].find(({ kind, type }) => kind === 'file' && PICTURE_TYPES.includes(type));
  return file?.getAsFile() ?? undefined;
}

/** Sends a picture part by part, none before the one before has arrived: it may be larger than the channel keeps. */
async function sendPicture(file: File, send: (part: string) => Promise<unknown>): Promise<void> {
  const reader = new FileReader();
  await new Promise<void>((resolve, reject) => {
    reader.onload = () => resolve();
    reader.onerror = () => reject(reader.error ?? new Error('not read'));
    reader.readAsDataURL(file);
  });
  const url = reader.result as string; // what readAsDataURL gives
  for (const part of partsOf(url.slice(url.indexOf(',') + 1))) await send(part);
}

function partsOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / MAX_PART) }, (_, at) =>
    text.slice(at * MAX_PART, (at + 1) * MAX_PART),
  );
}
