import { rendererToken, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution } from '../../../core/index.ts';
import { validateForm, validationOver } from '../protocol.ts';
import type { BubbleProps } from './bubble.tsx';

/** Shortest time for which a bubble is shown, and the time for each UTF-16 unit of a longer text, in ms, as in Chromium. */
const SHORTEST_MS = 5000;
const UNIT_MS = 50;

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};
const bubble: SlotContribution<BubbleProps> = { load: () => import('./bubble.tsx') };

/**
 * Shows at a control why its form is not sent (M-064), in the person's language, whatever that of the surrogate is. Not by the browser's own
 * report in the view: renderers show targets, and the view need not have the constraint that is not kept to.
 */
export const activate: ActivateClient = async ({ commands, services, slots, onDispose }) => {
  const texts = services.get(textsToken);
  const renderer = services.get(rendererToken);
  await texts.load(CATALOGUES);
  let empty: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    empty?.();
    empty = undefined;
  };
  commands.handle(validateForm, ({ frame, epoch, node, problem, limit, words }) => {
    hide();
    const text = problem === 'custom' ? words : texts.text(`form-controls.${problem}`, { limit });
    const hint = problem === 'custom' ? '' : words;
    const target = { frame, epoch, node, x: 0, y: 0 };
    empty = slots.fill(SLOTS.notice, bubble, { measure: () => renderer.rects(target)[0], text, hint });
    timer = setTimeout(hide, Math.max(SHORTEST_MS, UNIT_MS * (text.length + hint.length)));
  });
  commands.handle(validationOver, hide);
  onDispose(hide);
};
