import { copyText } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';
import { chosen } from '../protocol.ts';
import type { Item, Offer } from '../protocol.ts';
import { readClipboard } from './person-clipboard.ts';

/** The id of a menu that no host has offered. */
export const OWN_OFFER = 0;
/** Links whose address may be copied, whatever the host says. */
const COPIED = /^(?:https?|mailto|tel):/i;

/**
 * Carries out an item that the person has chosen, within the gesture of that: the clipboard and the history are the browser's. The host has the
 * rest, and hears of the choice in any case.
 */
export async function carryOut(scope: ClientScope, document: Document, offer: Offer, item: Item): Promise<void> {
  const answer = (failed: boolean): void => {
    if (offer.id === OWN_OFFER) return;
    try {
      scope.commands.send(chosen, { id: offer.id, item, failed });
    } catch {
      // The channel is lost: the rest is the browser's alone.
    }
  };
  switch (item) {
    case 'copy':
    case 'cut':
      // The view's own listeners copy, as with the browser's menu.
      answer(!document.execCommand(item));
      return;
    case 'paste': {
      const data = await readClipboard();
      answer(data === undefined);
      if (data) paste(document, data);
      return;
    }
    case 'link-copy':
    case 'picture-copy': {
      const address = item === 'link-copy' ? offer.link : offer.picture;
      answer(!(COPIED.test(address) && (await copyText(address))));
      return;
    }
    default:
      answer(false);
  }
  if (item === 'back') window.history.back();
  else if (item === 'forward') window.history.forward();
  else if (item === 'reload') window.location.reload();
}

/** Pastes as the browser's own menu would: with an event in the view, whose listeners take it to the page as far as the policy lets. */
function paste(document: Document, clipboardData: DataTransfer): void {
  const target = document.activeElement ?? document;
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
}
