import type { ActivatePage } from '../../../core/page.ts';
import { pageAnswer, pageAsks } from '../protocol.ts';

/** Passes the page's questions on. */
export const activate: ActivatePage = ({ commands, main }) => {
  const ask =
    (stays: boolean) =>
    (text: string): void => {
      const id = Number(text);
      if (Number.isSafeInteger(id)) commands.send(pageAsks, { id, stays });
    };
  main.on('once', ask(false));
  main.on('watch', ask(true));
  commands.handle(pageAnswer, ({ id }) => void main.send('answer', String(id)));
};
