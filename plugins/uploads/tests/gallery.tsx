import { slot, SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { NoticeProps } from '../client/notice.tsx';
import type { PasswordProps } from '../client/password.tsx';
import { Uploads } from '../client/uploads.ts';
import { UPLOAD_END } from '../protocol.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};

/** Nobody hears what becomes of the files. */
const UNHEARD = {
  abort: () => undefined,
  leaveOut: () => undefined,
  onFault: () => undefined,
  onShown: () => undefined,
  keep: () => undefined,
};

/** A list with rows in several states. */
function uploads(): Uploads {
  const made = new Uploads({
    send: (file, _at, { uploadId, onSent }) => {
      onSent(file.size / 2);
      if (uploadId === 'cut') return Promise.reject(new Error('cut'));
      return new Promise(() => undefined);
    },
    ...UNHEARD,
  });
  const file = (name: string): File => new File(['some text'], name);
  made.add(1, [file('report.pdf')]);
  made.done(1);
  made.add(2, [file('photo.jpg')]);
  made.aborted(2, UPLOAD_END.pageLeft);
  made.add(3, [file('payroll.zip')]);
  made.locked(3);
  made.add(5, [file('backup.tar')]);
  void made.start(5, 'cut');
  made.add(4, [file('صورة.png'), file('b.png'), file('c.png')]);
  void made.start(4, 'x');
  return made;
}

/** A list with a row in each other state. */
function otherStates(): Uploads {
  const made = new Uploads({
    send: () => Promise.resolve(), // the host checks it then
    ...UNHEARD,
  });
  const file = (name: string): File => new File(['some text'], name);
  made.add(1, [file('checked.pdf')]);
  void made.start(1, 'x');
  made.add(2, [file('infected.zip')]);
  made.blocked(2, 'uploads.infected');
  made.add(3, [file('ruled-out.exe')]);
  made.blocked(3, 'uploads.rule', 'Programs stay here.');
  made.add(4, [file('stopped.png')]);
  made.cancel(4);
  for (const [at, end] of Object.values(UPLOAD_END).entries()) {
    made.add(at + 10, [file(`ended-${at}.txt`)]);
    made.aborted(at + 10, end, 512);
  }
  made.addKept([{ name: 'of-the-last-page.txt', count: 1, size: 9 }], 'uploads.reloaded');
  return made;
}

export const surfaces: readonly Surface[] = [
  {
    name: 'uploads.tray',
    part: '[data-vitrine-transfer]',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/tray.tsx'), order: 110 };
      slots.fill(SLOTS.panel, contribution, { uploads: uploads(), texts });
    },
  },
  {
    name: 'uploads.states',
    part: '[data-state=checking]',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/tray.tsx'), order: 110 };
      slots.fill(SLOTS.panel, contribution, { uploads: otherStates(), texts });
    },
  },
  {
    name: 'uploads.notice',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const props: Omit<NoticeProps, 'done'> = {
        title: texts.text('uploads.blocked-title'),
        text: texts.text('uploads.blocked-one', { name: 'virus.zip', reason: texts.text('uploads.infected') }),
        no: texts.text('uploads.stop'),
        yes: texts.text('uploads.go-on'),
      };
      void slots.ask(
        slot<NoticeProps>('uploads.notice', 'dialog'),
        { load: () => import('../client/notice.tsx') },
        props,
      );
    },
  },
  {
    name: 'uploads.password',
    part: '.vitrine-dialog h2',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const contribution = { load: () => import('../client/password.tsx') };
      const props = { filename: 'payroll.zip', isAgain: false, texts };
      void slots.ask(slot<PasswordProps>('uploads.password', 'dialog'), contribution, props);
    },
  },
];
