import type { ActivateClient } from '../../../core/index.ts';
import { watermarkShow } from '../protocol.ts';
import { layTiles } from './tiles.ts';
import styles from './watermark.css';

/** Interval, in ms, at which removed or changed parts are restored and the time is updated. */
const REFRESH_MS = 5000;

/** Lays the text over the whole shell: over the page, and over dialogs. */
export const activate: ActivateClient = ({ commands, onDispose }) => {
  let layer: HTMLElement | undefined;
  let sheet: HTMLLinkElement | undefined;
  let shown = { text: '', print: false };

  const refresh = (): void => {
    const next = layTiles(document, shown, { width: innerWidth, height: innerHeight });
    if (sheet?.isConnected !== true) {
      sheet?.remove();
      sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: styles });
      document.head.append(sheet);
    }
    layer?.remove();
    layer = next;
    document.documentElement.append(next); // last in the document, and outside of the parts that dialogs make inert
  };
  const clear = (): void => {
    layer?.remove();
    sheet?.remove();
    layer = sheet = undefined;
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    window.removeEventListener('resize', refresh);
  };

  commands.handle(watermarkShow, (params) => {
    stop();
    shown = params;
    if (shown.text === '') {
      clear();
      return;
    }
    refresh();
    timer = setInterval(refresh, REFRESH_MS);
    window.addEventListener('resize', refresh);
  });
  onDispose(() => {
    stop();
    clear();
  });
};
