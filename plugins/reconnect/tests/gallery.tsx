import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import { BannerText } from '../client/banner-text.ts';
import type { BannerProps } from '../client/index.ts';

export const surfaces: readonly Surface[] = [
  {
    name: 'reconnect.banner',
    part: '.vitrine-banner',
    show: ({ slots, texts }) => {
      const text = new BannerText();
      text.set(texts.text('ID_TC_RELOADING', { seconds: 3 }));
      const props: BannerProps = { text };
      slots.fill(SLOTS.banner, { load: () => import('../client/banner.tsx') }, props);
    },
  },
];
