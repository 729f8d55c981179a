import type { ActivatePage } from '../../../core/page.ts';
import { pageAnswer, pageAsks, pageClears, pageRefused } from '../protocol.ts';

/** Relays the page's requests. */
export const activate: ActivatePage = ({ commands, main }) => {
  const onNumber = (name: string, relay: (id: number) => void): void => {
    main.on(name, (text) => {
      const id = Number(text);
      if (Number.isSafeInteger(id)) relay(id);
    });
  };
  onNumber('once', (id) => commands.send(pageAsks, { id, stays: false }));
  onNumber('watch', (id) => commands.send(pageAsks, { id, stays: true }));
  onNumber('clear', (id) => commands.send(pageClears, { id }));
  main.on('refused', (name) => {
    if (name === 'media' || name === 'notifications') commands.send(pageRefused, { name });
  });
  commands.handle(pageAnswer, ({ id, isRefused }) => void main.send(isRefused ? 'refuse' : 'answer', String(id)));
};
