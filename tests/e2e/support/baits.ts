/**
 * Centres of visible elements with the class `poke` in a frame of the shell. Runs in the shell: it must be
 * self-contained.
 */
export function baits(frame: string): { x: number; y: number }[] {
  const shown = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  const found = shown ? Document.prototype.querySelectorAll.call(shown, '.poke') : [];
  return [...found].flatMap((element) => {
    const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    const isSeen =
      width > 0 && height > 0 && middle.x > 0 && middle.x < innerWidth && middle.y > 0 && middle.y < innerHeight;
    return isSeen ? [middle] : [];
  });
}
