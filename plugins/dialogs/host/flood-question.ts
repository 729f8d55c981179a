import type { HostScope } from '../../../host/plugin.ts';
import { dialogFlood, dialogFloodOver, dialogsSilence } from '../protocol.ts';

/** A dialog that the person is asked about before it is shown. */
interface Held {
  readonly id: number;
  readonly site: string;
  readonly decided: (silenced: boolean) => void;
}

/** The question whether a site may show further dialogs: one at a time, as the dialogs themselves. */
export function floodQuestion({ commands, hooks, tab }: Pick<HostScope, 'commands' | 'hooks' | 'tab'>): {
  readonly ask: (held: Held) => void;
  /** The dialog in question is gone. */
  readonly close: () => void;
} {
  let held: Held | undefined;
  const send = ({ id, site }: Held): void => commands.send(dialogFlood, { id, site });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && held) send(held);
  });
  commands.handle(dialogsSilence, ({ id, silenced }) => {
    if (held?.id !== id) return; // the dialog is gone
    const { decided } = held;
    held = undefined;
    decided(silenced);
  });
  return {
    ask: (next) => {
      held = next;
      send(next);
    },
    close: () => {
      if (held) commands.send(dialogFloodOver, {});
      held = undefined;
    },
  };
}
