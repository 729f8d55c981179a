import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { defaultOptions } from '../options.ts';
import type { PrintOptions } from '../options.ts';
import { printOpen, unblockPrint } from '../protocol.ts';
import { fetchPreview } from './preview.ts';
import styles from './print.css';

export type PrintDialogProps = {
  /** False: the person is only told that they may not. */
  readonly allowed: boolean;
  readonly initial: PrintOptions;
  readonly preview: (options: PrintOptions, signal: AbortSignal) => Promise<Blob>;
  /** A preview could not be had. */
  readonly onFailed: (reason: string) => void;
  readonly texts: Texts;
} & DialogProps<undefined>;

const dialog = slot<PrintDialogProps>('print.dialog', 'dialog');
const contribution: SlotContribution<PrintDialogProps> = {
  load: () => import('./print-dialog.tsx'),
  styles: [styles],
};

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Asks how the page is to be printed, shows what comes of it, and tells the host when all that is over. */
export const activate: ActivateClient = async ({ commands, events, services, session, slots, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let open = new AbortController();
  /** What the person has chosen last goes for the next time, too. */
  let chosen = defaultOptions(navigator.language);

  commands.handle(printOpen, async ({ id, allowed }) => {
    open.abort(); // another surrogate counts anew
    const { signal } = (open = new AbortController());
    const props = {
      allowed,
      initial: chosen,
      preview: (options: PrintOptions, stop: AbortSignal) => {
        chosen = options;
        return fetchPreview(session, options, stop);
      },
      onFailed: (reason: string) => {
        events.report('tc-print-preview-failed', { reason }, { level: 'warning' });
      },
      texts,
    };
    await slots.ask(dialog, contribution, props, signal);
    if (!signal.aborted) commands.send(unblockPrint, { id });
  });
  onDispose(() => {
    open.abort();
  });
};
