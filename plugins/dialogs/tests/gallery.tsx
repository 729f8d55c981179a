import { slot } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { PageDialogProps } from '../client/index.ts';
import type { DialogKind } from '../protocol.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};
const KINDS: readonly DialogKind[] = ['alert', 'confirm', 'prompt', 'beforeunload', 'unresponsive'];

export const surfaces: readonly Surface[] = KINDS.map((kind) => ({
  name: `dialogs.${kind}`,
  part: '.vitrine-dialog h2',
  show: async ({ slots, texts, load }) => {
    await load(CATALOGUES);
    const request = { id: 1, kind, site: 'shop.example.com', message: 'Is this your name?', defaultText: 'Anna' };
    void slots.ask(
      slot<PageDialogProps>('dialogs.page', 'dialog'),
      { load: () => import('../client/page-dialog.tsx'), role: kind === 'prompt' ? 'dialog' : 'alertdialog' },
      { request, texts },
    );
  },
}));
