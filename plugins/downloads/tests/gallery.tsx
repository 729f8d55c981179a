import { slot, SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { PasswordProps } from '../client/password.tsx';
import type { RefusedProps } from '../client/refused.tsx';
import { Transfers } from '../client/transfers.ts';
import type { CheckState, Checked } from '../client/check.ts';
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
  again: true,
  filename,
  key: '',
  received,
  ...(total !== undefined && { total }),
});

/** States of files that are being checked, and outcomes of checks, by the name of the file. */
const CHECKS: Readonly<Record<string, CheckState | Checked>> = {
  'waiting.zip': { state: 'waiting', progress: 0.9 },
  'locked.zip': { state: 'locked', progress: 0.5 },
  'quarantined.exe': { state: 'quarantined', progress: 0.5, message: 'Programs are looked at by the help desk first.' },
  'by-the-page.csv': { outcome: 'allowed', isScanned: false },
  'infected.zip': { outcome: 'blocked', reason: 'downloads.infected' },
  'ruled-out.exe': { outcome: 'blocked', reason: 'downloads.blocked', message: 'Programs come from the store alone.' },
};

/** Nobody hears what becomes of the files. */
const UNHEARD = {
  endOf: async () => undefined,
  save: () => undefined,
  cancel: () => undefined,
  again: () => undefined,
  forget: () => undefined,
  onFault: () => undefined,
  onShown: () => undefined,
  onUnfinished: () => undefined,
};

/** A list with a row for each state of a check, or for each way in which a file does not come. */
function otherStates(which: 'checks' | 'ends'): Transfers {
  const made = new Transfers({
    check: async ({ filename }, onState) => {
      const known = CHECKS[filename];
      if (known === undefined) throw new Error('cut');
      if ('outcome' in known) return known;
      onState(known);
      return new Promise(() => undefined);
    },
    ...UNHEARD,
  });
  if (which === 'checks') {
    for (const [at, name] of [...Object.keys(CHECKS), 'cut-off.pdf'].entries())
      made.add({ ...record(at + 1, name, 40_960), asked: name !== 'by-the-page.csv' }, { status: 'finished' });
    return made;
  }
  for (const [at, reason] of Object.values(CANCEL).entries()) {
    made.add(record(at + 1, `canceled-${at}.bin`, 0), { status: 'started' });
    made.cancelled(at + 1, reason, 512);
  }
  made.addLost(['lost.docx']);
  return made;
}

const tray = (name: string, part: string, made: () => Transfers): Surface => ({
  name: `downloads.${name}`,
  part,
  show: async ({ slots, texts, load }) => {
    await load(CATALOGUES);
    const contribution = { load: () => import('../client/tray.tsx'), order: 100 };
    slots.fill(SLOTS.panel, contribution, { transfers: made(), texts });
  },
});

/** A list with a row in each usual state. */
function transfers(): Transfers {
  const made = new Transfers({
    check: (_item, onState) => {
      onState({ state: 'checking', progress: 0.75 });
      return new Promise(() => undefined);
    },
    ...UNHEARD,
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
  tray('tray', '[data-vitrine-transfer]', transfers),
  tray('checks', '[data-state=quarantined]', () => otherStates('checks')),
  tray('ends', '[data-state=failed]', () => otherStates('ends')),
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
