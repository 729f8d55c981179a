import { SLOTS } from '../../../core/index.ts';
import type { SlotContribution } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { BubbleProps } from '../client/bubble.tsx';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};
const bubble: SlotContribution<BubbleProps> = { load: () => import('../client/bubble.tsx') };

/** A field at the top, and one at the bottom of the window. */
const PLACES: Readonly<Record<string, (height: number) => number>> = {
  below: () => 120,
  above: (height) => height - 40,
};

export const surfaces: readonly Surface[] = Object.entries(PLACES).map(([side, top]) => ({
  name: `form-controls.${side}`,
  part: '.vitrine-bubble',
  show: async ({ slots, texts, load }) => {
    await load(CATALOGUES);
    const measure = () => ({ x: innerWidth / 3, y: top(innerHeight), width: 120, height: 24 });
    const hint = side === 'above' ? 'Two letters, then four digits' : '';
    const text = texts.text(`form-controls.${hint ? 'pattern' : 'missing'}`);
    slots.fill(SLOTS.notice, bubble, { measure, text, hint });
  },
}));
