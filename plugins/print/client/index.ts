import { hooksToken, slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';
import { defaultOptions } from '../options.ts';
import type { PrintOptions } from '../options.ts';
import { personAsked, printOpen, unblockPrint } from '../protocol.ts';
import { fetchPreview } from './preview.ts';
import styles from './print.css';

export type PrintDialogProps = {
  /** False: only show that printing is not allowed. */
  readonly allowed: boolean;
  readonly initial: PrintOptions;
  readonly preview: (options: PrintOptions, signal: AbortSignal) => Promise<Blob>;
  /** Called when a preview failed. */
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

/** Asks for print options, shows the preview, and notifies the host when printing has ended. */
export const activate: ActivateClient<typeof manifest> = async (scope) => {
  const { commands, events, hooks, services, session, slots, onDispose } = scope;
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let open = new AbortController();
  /** The last chosen options are the defaults of the next print. */
  let chosen = defaultOptions(navigator.language);

  const onCallFailed = (message: string, status?: number): void => {
    const data = { label: 'print', message, data: { status } };
    events.report('tc-server-call-failed', data, { level: 'warning', force: true });
  };

  commands.handle(printOpen, async ({ id, allowed }) => {
    open.abort(); // another surrogate starts its own ids
    const { signal } = (open = new AbortController());
    const props = {
      allowed,
      initial: chosen,
      preview: (options: PrintOptions, stop: AbortSignal) => {
        chosen = options;
        return fetchPreview(session, options, { signal: stop, onCallFailed });
      },
      onFailed: (reason: string) => {
        events.report('tc-print-preview-failed', { reason }, { level: 'warning' });
      },
      texts,
    };
    await slots.ask(dialog, contribution, props, signal);
    if (!signal.aborted) commands.send(unblockPrint, { id });
  });
  hooks.tap(services.get(hooksToken).tabActions, ({ offer }) => {
    offer([
      {
        id: 'print.open',
        label: texts.text('print.title'),
        icon: 'printer',
        group: 'page',
        order: 20,
        keys: 'Mod+P',
        disabled: session.siteCapabilities().print_enabled === false,
        act: () => commands.send(personAsked, undefined),
      },
    ]);
  });
  onDispose(() => {
    open.abort();
  });
};
