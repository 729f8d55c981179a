import { TOP_LAYER } from '../ops.ts';
import { isHtml } from './dom.ts';
import type { Sheets } from './sheets.ts';

const FULLSCREEN = 'data-vitrine-fullscreen';
/** The browser's own rules for a fullscreen element and its black backdrop, in the layer of all our rules. */
const FULLSCREEN_RULES = `@layer vitrine{
[${FULLSCREEN}]:not(:root){position:fixed!important;inset:0!important;margin:0!important;box-sizing:border-box!important;min-width:0!important;max-width:none!important;min-height:0!important;max-height:none!important;width:100%!important;height:100%!important;transform:none!important;object-fit:contain;user-select:text;z-index:2147483647!important;background-color:#000}
iframe[${FULLSCREEN}]{border:0!important;padding:0!important}
}`;

/** Puts an element into the top layer, above all others, or removes it. */
export function setTopLayer(sheets: Sheets, element: Element, kind: number): void {
  const dialog = isHtml(element, 'dialog') ? (element as HTMLDialogElement) : undefined; // by its name
  switch (kind) {
    case TOP_LAYER.modal:
      if (!dialog) return;
      dialog.close();
      dialog.showModal();
      break;
    case TOP_LAYER.popover:
      if (!Element.prototype.hasAttribute.call(element, 'popover'))
        Element.prototype.setAttribute.call(element, 'popover', 'manual');
      hide(element);
      HTMLElement.prototype.showPopover.call(element);
      break;
    case TOP_LAYER.fullscreen:
      // Real fullscreen needs a gesture and the whole screen; here only the place of the element is visible.
      Element.prototype.setAttribute.call(element, FULLSCREEN, '');
      sheets.own(element, { text: FULLSCREEN_RULES, media: '', disabled: false });
      break;
    default:
      if (Element.prototype.hasAttribute.call(element, FULLSCREEN)) {
        Element.prototype.removeAttribute.call(element, FULLSCREEN);
        sheets.disown(element);
      }
      if (dialog?.matches(':modal')) dialog.close();
      hide(element);
  }
}

function hide(element: Element): void {
  if (Element.prototype.matches.call(element, ':popover-open')) HTMLElement.prototype.hidePopover.call(element);
}
