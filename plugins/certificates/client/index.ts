import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { acceptCert, certificateClose, certificateInvalid } from '../protocol.ts';
import type { InvalidCertificate } from '../protocol.ts';

export type CertificateProps = { readonly invalid: InvalidCertificate; readonly texts: Texts } & DialogProps<boolean>;

const certificateSlot = slot<CertificateProps>('certificates.invalid', 'dialog');
const contribution: SlotContribution<CertificateProps> = {
  load: () => import('./certificate-dialog.tsx'),
  role: 'alertdialog',
};

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Shows what is wrong with a certificate. A person who declines goes back (S-016, S-127, S-141). */
export const activate: ActivateClient = async ({ commands, services, slots, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let shown: { readonly id: number; readonly closing: AbortController } | undefined;
  const close = (): void => shown?.closing.abort();

  commands.handle(certificateInvalid, async (invalid) => {
    close();
    const closing = new AbortController();
    shown = { id: invalid.id, closing };
    const accepted = (await slots.ask(certificateSlot, contribution, { invalid, texts }, closing.signal)) === true;
    if (isAborted(closing.signal)) return;
    commands.send(acceptCert, { id: invalid.id, accepted });
    if (!accepted) goBack();
  });
  commands.handle(certificateClose, ({ id }) => {
    if (shown?.id === id) close();
  });
  onDispose(close);
};

/** Goes back in the history, past further entries of the same page. */
function goBack(): void {
  const { href } = window.location;
  const moved = (): void => {
    if (window.location.href === href) window.history.back();
  };
  window.addEventListener('popstate', moved, { once: true });
  window.history.back();
}

/** The compiler cannot know that this may change during an await. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}
