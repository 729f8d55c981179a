import { TOP_LAYER } from '../ops.ts';
import { isHtml } from './dom.ts';

const FULLSCREEN = 'data-vitrine-fullscreen';

/** Puts an element into the top layer, above all that is there, or takes it out. */
export function setTopLayer(element: Element, kind: number): void {
  const dialog = isHtml(element, 'dialog') ? (element as HTMLDialogElement) : undefined; // its name says so
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
      // The real thing needs a gesture and the whole screen; nothing but the element's place can be seen of it here.
      Element.prototype.setAttribute.call(element, FULLSCREEN, '');
      break;
    default:
      Element.prototype.removeAttribute.call(element, FULLSCREEN);
      if (dialog?.matches(':modal')) dialog.close();
      hide(element);
  }
}

function hide(element: Element): void {
  if (Element.prototype.matches.call(element, ':popover-open')) HTMLElement.prototype.hidePopover.call(element);
}
