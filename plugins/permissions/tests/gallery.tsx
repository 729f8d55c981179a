import { question, slot } from '../../../core/index.ts';
import type { QuestionProps } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

export const surfaces: readonly Surface[] = [
  {
    name: 'permissions.question',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const props = {
        title: texts.text('permissions.location-title', { site: 'maps.example.com' }),
        text: texts.text('permissions.location-text'),
        no: texts.text('permissions.block'),
        yes: texts.text('permissions.allow'),
      };
      void slots.ask(slot<QuestionProps>('permissions.question', 'dialog'), question, props);
    },
  },
];
