import { dom } from '../../../core/page.ts';
import type { ActivatePage } from '../../../core/page.ts';
import { pageAnswer, pageAsks, pageFailed, pageLeave, pageState } from '../protocol.ts';

const { exitFullscreen } = Document.prototype;

/** Relays the page's requests after a recent gesture of the person in it, and reports its full screen element. */
export const activate: ActivatePage = ({ commands, kernel, main }) => {
  let isNews = false;

  main.on('ask', (text) => {
    const id = Number(text);
    if (!Number.isSafeInteger(id)) return;
    if (navigator.userActivation.isActive) commands.send(pageAsks, { id });
    else main.send('refuse', text);
  });
  main.on('failed', (text) => {
    const id = Number(text);
    if (Number.isSafeInteger(id)) commands.send(pageFailed, { id });
  });
  commands.handle(pageAnswer, ({ id, granted }) => {
    main.send(granted ? 'enter' : 'refuse', String(id));
  });
  commands.handle(pageLeave, () => {
    if (dom.fullscreenElement(document)) exitFullscreen.call(document).catch(() => undefined); // it has left full screen itself
  });

  kernel.listen('fullscreenchange', () => {
    isNews = true;
    kernel.schedule();
  });
  kernel.onFlush(() => {
    if (!isNews) return;
    isNews = false;
    const element = dom.fullscreenElement(document);
    commands.send(pageState, {
      isFull: element !== null,
      node: element ? kernel.idOf(element) : 0,
      ...kernel.position(),
    });
  });
};
