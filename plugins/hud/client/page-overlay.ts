import type { Box, ClientScope, Renderer, Target } from '../../../core/index.ts';
import { windowOf } from './debug-keys.ts';
import type { Switchable } from './index.ts';

const REDRAW_MS = 100;

/** Draws the frames of the page with their numbers on top of it, and the element under the pointer. */
export class PageOverlay implements Switchable {
  readonly #renderer: Renderer;
  #hide: (() => void) | undefined;

  constructor({ onDispose }: ClientScope, renderer: Renderer) {
    this.#renderer = renderer;
    onDispose(() => this.#hide?.());
  }

  toggle(): void {
    if (this.#hide) {
      this.#hide();
      this.#hide = undefined;
    } else this.#hide = this.#show();
  }

  #show(): () => void {
    const renderer = this.#renderer;
    const layer = document.createElement('div');
    layer.id = 'vitrine-hud-page';
    layer.setAttribute('aria-hidden', 'true');
    layer.style.cssText = 'position:fixed;inset:0;overflow:hidden;pointer-events:none;z-index:2147483646';
    document.body.append(layer);
    const documents = new Map<Document, number>();
    let under: Target | undefined;

    const leave = renderer.documents(({ frame, document: shown }) => {
      const move = (event: MouseEvent): void => {
        under = renderer.hitTest(event);
      };
      documents.set(shown, frame);
      const { addEventListener, removeEventListener } = EventTarget.prototype;
      addEventListener.call(shown, 'mousemove', move as EventListener, true); // for mouse events
      return () => {
        documents.delete(shown);
        removeEventListener.call(shown, 'mousemove', move as EventListener, true); // as above
      };
    });
    const draw = (): void => {
      const frames = [...documents].flatMap(([shown, frame]) =>
        renderer.rects({ frame, x: 0, y: 0 }).map((origin) => {
          const { innerWidth: width = 0, innerHeight: height = 0 } = windowOf(shown) ?? {};
          return outline({ ...origin, width, height }, '#2f7dff', `frame ${frame}, ${width} x ${height}`);
        }),
      );
      const { frame, node } = under ?? {};
      const boxes = under && node !== undefined ? renderer.rects(under) : [];
      layer.replaceChildren(
        ...frames,
        ...boxes.map((box) => outline(box, '#e5007a', `frame ${frame ?? 0}, node ${node ?? 0}`)),
      );
    };
    draw();
    const refresh = setInterval(draw, REDRAW_MS);
    return () => {
      clearInterval(refresh);
      leave();
      layer.remove();
    };
  }
}

function outline({ x, y, width, height }: Box, colour: string, text: string): HTMLElement {
  const box = document.createElement('div');
  box.style.cssText = `position:absolute;box-sizing:border-box;border:1px solid ${colour};left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
  const label = document.createElement('span');
  label.style.cssText = `position:absolute;right:0;bottom:0;padding:0 3px;color:#fff;background:${colour};font:10px/1.4 monospace;white-space:nowrap`;
  label.textContent = text;
  box.append(label);
  return box;
}
