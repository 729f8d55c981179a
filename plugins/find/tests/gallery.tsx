import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { FindBarProps } from '../client/bar.tsx';
import styles from '../client/bar.css';
import { FindState } from '../client/find-state.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

export const surfaces: readonly Surface[] = [
  {
    name: 'find.bar',
    part: '.vitrine-bar',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const state = new FindState({ search: () => undefined, end: () => undefined, close: () => undefined });
      state.start('new', 'isolation');
      const props: FindBarProps = { state, texts };
      slots.fill(SLOTS.panel, { load: () => import('../client/bar.tsx'), styles: [styles] }, props);
    },
  },
];
