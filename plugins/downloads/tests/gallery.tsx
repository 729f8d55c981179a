import { slot, SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { PasswordProps } from '../client/password.tsx';
import type { RefusedProps } from '../client/refused.tsx';
import { Transfers } from '../client/transfers.ts';
import { CANCEL } from '../protocol.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

const record = (id: number, filename: string, received: number, total?: number) => ({
  id,
  uri: '',
  asked: true,
  filename,
  key: '',
  received,
  ...(total !== undefined && { total }),
});

/** A list with a row in each state. */
function transfers(): Transfers {
  const made = new Transfers({
    check: (_item, onState) => {
      onState({ state: 'checking', progress: 0.75 });
      return new Promise(() => undefined);
    },
    endOf: async () => undefined,
    save: () => undefined,
    cancel: () => undefined,
    forget: () => undefined,
    onFault: () => undefined,
    onShown: () => undefined,
    onUnfinished: () => undefined,
  });
  made.add(record(1, 'report.pdf', 1_572_864), { status: 'finished', saved: true, scanned: true });
  made.add(record(2, 'a name that is far too long to be shown on one line of the tray.tar.gz', 0), {
    status: 'cancelled',
  });
  made.add(record(3, 'disk.iso', 0), { status: 'started' });
  made.cancelled(3, CANCEL.tooLarge, 512);
  made.add(record(4, 'تقرير.docx', 20_480), { status: 'finished' });
  made.add(record(5, 'film.mp4', 73_400_320, 209_715_200), { status: 'started' });
  return made;
}

export const surfaces: readonly Surface[] = [
  {
    name: 'downloads.tray',
    part: '[data-vitrine-transfer]',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/tray.tsx'), order: 100 };
      slots.fill(SLOTS.panel, contribution, { transfers: transfers(), texts });
    },
  },
  {
    name: 'downloads.refused',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/refused.tsx') };
      const props = { filename: 'invoice.pdf', site: 'files.example.com', texts };
      void slots.ask(slot<RefusedProps>('downloads.refused', 'dialog'), contribution, props);
    },
  },
  {
    name: 'downloads.password',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/password.tsx') };
      const props = { filename: 'payroll.zip', isAgain: true, texts };
      void slots.ask(slot<PasswordProps>('downloads.password', 'dialog'), contribution, props);
    },
  },
];
