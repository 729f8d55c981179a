import type { Highlighter, Highlights } from '../../../core/index.ts';

/** Matches as the person sees them. */
export interface ShownMatches {
  set(highlights: Highlights): void;
  clear(): void;
}

/** Marks matches in the view. What the view cannot mark, as the values of controls, gets a box over it that follows. */
export function showMatches(highlighter: Highlighter): ShownMatches {
  let layer: HTMLElement | undefined;
  let request = 0;
  const draw = (): void => {
    const boxes = highlighter.boxes();
    if (boxes.length === 0) {
      layer?.remove();
      layer = undefined;
      return;
    }
    layer ??= document.body.appendChild(layerElement());
    layer.replaceChildren(
      ...boxes.map(({ x, y, width, height, isActive }) => {
        const box = document.createElement('div');
        const colour = isActive ? '#ff9632' : '#ffe04a';
        box.style.cssText = `position:absolute;box-sizing:border-box;border-radius:3px;left:${x}px;top:${y}px;width:${width}px;height:${height}px;outline:2px solid #5a4300;box-shadow:inset 0 0 0 2px ${colour}`;
        return box;
      }),
    );
    request = requestAnimationFrame(draw);
  };
  const redraw = (): void => {
    cancelAnimationFrame(request);
    draw();
  };
  return {
    set: (highlights) => {
      highlighter.set(highlights);
      redraw();
    },
    clear: () => {
      highlighter.clear();
      redraw();
    },
  };
}

/** Over the view and below all surfaces of ours. */
function layerElement(): HTMLElement {
  const layer = document.createElement('div');
  layer.id = 'vitrine-matches';
  layer.setAttribute('aria-hidden', 'true');
  layer.style.cssText = 'position:fixed;inset:0;overflow:hidden;pointer-events:none;z-index:1';
  return layer;
}
