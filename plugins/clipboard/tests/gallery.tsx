import { slot } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { KeysProps } from '../client/keys-dialog.ts';
import styles from '../client/keys.css';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

export const surfaces: readonly Surface[] = [
  {
    name: 'clipboard.keys',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/keys.tsx'), styles: [styles] };
      void slots.ask(slot<KeysProps>('clipboard.keys', 'dialog'), contribution, { texts, isMac: false });
    },
  },
];
