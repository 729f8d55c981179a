import type { Surface } from '../../../core/testing/gallery.ts';
import { layTiles } from '../client/tiles.ts';
import styles from '../client/watermark.css';

const TEXTS: Readonly<Record<string, string>> = {
  en: 'Confidential anna@example.com {time}',
  de: 'Vertraulich anna@example.com {time}',
  ar: 'سري anna@example.com {time}',
};

export const surfaces: readonly Surface[] = [
  {
    name: 'watermark.layer',
    part: '#vitrine-watermark',
    show: async ({ texts }) => {
      const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: styles });
      const loaded = new Promise((resolve) => sheet.addEventListener('load', resolve));
      document.head.append(sheet);
      await loaded;
      const text = TEXTS[texts.language] ?? '';
      document.documentElement.append(
        layTiles(document, { text, print: false }, { width: innerWidth, height: innerHeight }),
      );
    },
  },
];
