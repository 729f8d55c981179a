import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { challengeClose, challengeDismiss, challengeOpen } from '../protocol.ts';
import type { Challenge } from '../protocol.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type ChallengeProps = { readonly challenge: Challenge; readonly texts: Texts } & DialogProps<Credentials | null>;

const challengeSlot = slot<ChallengeProps>('http-auth.challenge', 'dialog');
const contribution: SlotContribution<ChallengeProps> = { load: () => import('./challenge-dialog.tsx') };

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Asks the person for the password that a server demands; the answer goes to the host and is not kept (S-016, S-127, S-141). */
export const activate: ActivateClient = async ({ commands, services, slots, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let shown: { readonly id: number; readonly closing: AbortController } | undefined;
  const close = (): void => shown?.closing.abort();

  commands.handle(challengeOpen, async (challenge) => {
    close();
    const closing = new AbortController();
    shown = { id: challenge.id, closing };
    const credentials = await slots.ask(challengeSlot, contribution, { challenge, texts }, closing.signal);
    if (isAborted(closing.signal)) return;
    commands.send(challengeDismiss, { id: challenge.id, credentials: credentials ?? null });
  });
  commands.handle(challengeClose, ({ id }) => {
    if (shown?.id === id) close();
  });
  onDispose(close);
};

/** The compiler cannot know that this may change during an await. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}
