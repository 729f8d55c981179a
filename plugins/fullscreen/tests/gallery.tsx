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
    name: 'fullscreen.question',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const props = {
        title: texts.text('fullscreen.title', { site: 'maps.example.com' }),
        text: texts.text('fullscreen.text'),
        no: texts.text('fullscreen.block'),
        yes: texts.text('fullscreen.allow'),
      };
      void slots.ask(slot<QuestionProps>('fullscreen.question', 'dialog'), question, props);
    },
  },
];
