import type { HostScope } from '../../../host/plugin.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';

/** Carries out the person's answer. */
export type Settle = (accept: boolean, text?: string) => Promise<unknown>;

/** The dialog that the person sees: one at a time. */
interface ShownDialog {
  /** Its kind; undefined: there is none. */
  readonly kind: () => DialogRequest['kind'] | undefined;
  /** Shows one in the place of any other. */
  readonly show: (request: Omit<DialogRequest, 'id'>, settle: Settle) => void;
  readonly close: () => void;
}

/** @param failed called where an answer could not be carried out */
export function shownDialog(
  { commands, hooks, tab }: Pick<HostScope, 'commands' | 'hooks' | 'tab'>,
  failed: (thrown: unknown) => void,
): ShownDialog {
  let shown: { readonly request: DialogRequest; readonly settle: Settle } | undefined;
  let last = 0;
  const close = (): void => {
    if (shown) commands.send(dialogClose, { id: shown.request.id });
    shown = undefined;
  };
  const answer = (id: number, accept: boolean, text?: string): void => {
    if (shown?.request.id !== id) return; // already answered or closed
    const { settle } = shown;
    shown = undefined;
    settle(accept, text).catch(failed);
  };
  commands.handle(alertDismiss, ({ id }) => answer(id, true));
  commands.handle(confirmDismiss, ({ id, accepted }) => answer(id, accepted));
  commands.handle(promptDismiss, ({ id, accepted, text }) => answer(id, accepted, text));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && shown) commands.send(dialogOpen, shown.request);
  });
  return {
    kind: () => shown?.request.kind,
    show: (request, settle) => {
      close();
      shown = { request: { ...request, id: ++last }, settle };
      commands.send(dialogOpen, shown.request);
    },
    close,
  };
}
