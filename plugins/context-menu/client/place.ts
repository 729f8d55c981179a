import type { AskMenuProps, Renderer } from '../../../core/index.ts';

type Place = AskMenuProps['at'];

/** Distance of a menu from the corner of the view, where nothing has the focus, in px. */
const CORNER = 8;

/** The point of an event of the view in the shell's viewport, in CSS px. */
export function pointOf(document: Document, { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Place {
  let [x, y] = [clientX, clientY];
  for (let frame = document.defaultView?.frameElement; frame; frame = frame.ownerDocument.defaultView?.frameElement) {
    const box = frame.getBoundingClientRect();
    const style = frame.ownerDocument.defaultView?.getComputedStyle(frame);
    x += box.x + frame.clientLeft + parseFloat(style?.paddingLeft ?? '0');
    y += box.y + frame.clientTop + parseFloat(style?.paddingTop ?? '0');
  }
  return { x, y };
}

/** The box of the caret in the shell's viewport, or of what has the focus; the corner of the view without either. */
export function boxOfFocus(renderer: Pick<Renderer, 'caret' | 'focused' | 'rects' | 'view'>): Place {
  const target = renderer.focused();
  const box = renderer.caret() ?? (target && renderer.rects(target)[0]);
  if (box) return { x: box.x, y: box.y, width: box.width, height: box.height };
  const { x, y } = renderer.view.getBoundingClientRect();
  return { x: x + CORNER, y: y + CORNER };
}
