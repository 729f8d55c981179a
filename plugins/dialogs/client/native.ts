import type { Texts } from '../../../core/index.ts';
import type { DialogRequest } from '../protocol.ts';
import type { DialogOutcome } from './index.ts';
import { WORDING } from './wording.ts';

/** Asks the person by the dialogs of their browser, which block this document (S-017). Who asks comes first, as that browser names the service. */
export function askNatively({ kind, site, message, defaultText }: DialogRequest, texts: Texts): DialogOutcome {
  const wording = WORDING[kind];
  const title = texts.text(wording.title, { site: site || texts.text('dialogs.no-address') });
  const words = `${title}\n\n${wording.message === undefined ? message : texts.text(wording.message)}`;
  if (kind === 'alert') {
    window.alert(words);
    return { accepted: true, text: '' };
  }
  if (kind === 'prompt') {
    const text = window.prompt(words, defaultText);
    return { accepted: text !== null, text: text ?? '' };
  }
  if (kind === 'confirm') return { accepted: window.confirm(words), text: '' };
  return { accepted: choose(words, texts, wording), text: '' };
}

/** Asks for one of two answers. The browser names its buttons by itself: the text says what they mean. */
export function choose(
  words: string,
  texts: Texts,
  { accept, dismiss = '' }: { readonly accept: string; readonly dismiss?: string },
): boolean {
  const meaning = (button: string, answer: string): string => `${texts.text(button)}: ${texts.text(answer)}`;
  return window.confirm(`${words}\n\n${meaning('dialogs.ok', accept)}\n${meaning('dialogs.cancel', dismiss)}`);
}
