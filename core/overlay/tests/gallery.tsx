import { SLOTS } from '../../contracts/slots.ts';
import type { Surface } from '../../testing/gallery.ts';
import { Snackbar } from '../snackbar.ts';

export const surfaces: readonly Surface[] = [
  {
    name: 'shell.loading',
    part: '#vitrine-preload',
    show: ({ texts }) => {
      const preload = document.createElement('div');
      preload.id = 'vitrine-preload';
      const spinner = document.createElement('span');
      spinner.className = 'spinner';
      const info = document.createElement('span');
      info.id = 'vitrine-info';
      info.textContent = texts.text('ID_PAGE_SILENT');
      preload.append(spinner, info);
      document.body.replaceChildren(preload);
    },
  },
  {
    name: 'shell.error',
    part: '#vitrine-error',
    show: ({ shell, texts }) => {
      shell.fail({
        code: 'tab-limit',
        title: texts.text('ID_ERROR_TITLE'),
        description: texts.text('ID_ERROR_TAB_LIMIT'),
        details: 'tab_limit (7f3a21)',
        retry: () => undefined,
      });
    },
  },
  {
    name: 'shell.notice',
    part: '#vitrine-notice',
    show: ({ shell }) => {
      shell.trouble('network');
    },
  },
  {
    name: 'shell.snackbar',
    part: '.vitrine-snackbar',
    show: ({ slots }) => {
      const events = { report: () => undefined };
      new Snackbar({ slots, events, onDispose: () => undefined }).show('The link was copied.');
    },
  },
  {
    name: 'shell.banner',
    part: '.vitrine-banner',
    show: ({ slots }) => {
      const Banner = (): React.ReactNode => <div className="vitrine-banner">You browse in isolation.</div>;
      slots.fill(SLOTS.banner, { load: () => Promise.resolve({ default: Banner }) }, {});
    },
  },
];
