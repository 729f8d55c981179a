import { slot } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { PrintDialogProps } from '../client/index.ts';
import styles from '../client/print.css';
import { defaultOptions } from '../options.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

const printing = (
  state: string,
  allowed: boolean,
  preview: PrintDialogProps['preview'],
  keys?: readonly string[],
): Surface => ({
  name: `print.${state}`,
  part: '.vitrine-dialog h2',
  ...(keys && { keys }),
  show: async ({ slots, texts, load }) => {
    await load(CATALOGUES);
    const contribution = { load: () => import('../client/print-dialog.tsx'), styles: [styles] };
    const props = {
      allowed,
      initial: defaultOptions('de'),
      preview,
      onFailed: (_reason: string): void => undefined,
      texts,
    };
    void slots.ask(slot<PrintDialogProps>('print.dialog', 'dialog'), contribution, props);
  },
});

const never = (): Promise<Blob> => new Promise(() => undefined);

export const surfaces: readonly Surface[] = [
  printing('options', true, never),
  printing('refused', false, never),
  printing('loading', true, never, ['Shift+Tab', 'Enter']),
  printing('failed', true, () => Promise.reject(new Error('no')), ['Shift+Tab', 'Enter']),
];
