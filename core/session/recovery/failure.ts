import type { Messages } from '../../overlay/messages.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { LostTab } from './lost-tab.ts';
import type { PairOutcome } from '../pairing/pairing.ts';

/** Reason why a tab has no session. */
export type Failure =
  Exclude<PairOutcome, { readonly kind: 'paired' | 'elsewhere' }> | { readonly kind: 'bad-address' };

/** Texts by reason, and whether a retry may succeed. */
const TEXTS: Readonly<Record<Failure['kind'], readonly [id: string, mayRetry: boolean]>> = {
  'bad-address': ['ID_ERROR_ADDRESS', false],
  blocked: ['ID_ERROR_BLOCKED', false],
  'tab-limit': ['ID_ERROR_TAB_LIMIT', true],
  reload: ['ID_ERROR_VERSION', true],
  error: ['ID_ERROR_PAIRING', true],
};

/** Shows why there is no session, in place of the page (S-060, R-058). `ready`: the texts have loaded or failed. */
export async function showFailure(
  failure: Failure,
  {
    shell,
    messages,
    ready,
    reload,
  }: {
    readonly shell: ShellView;
    readonly messages: Messages;
    readonly ready: Promise<void>;
    readonly reload: (why: string) => void;
  },
): Promise<void> {
  await ready;
  const [id, mayRetry] = TEXTS[failure.kind];
  const given = failure.kind === 'error' ? failure : undefined;
  const code = given?.code ?? failure.kind;
  shell.fail({
    code,
    title: given?.title ?? messages.text('ID_ERROR_TITLE'),
    description: given?.message ?? messages.text(id),
    ...(given?.details !== undefined && { details: given.details }),
    ...(mayRetry && { retry: () => reload(code) }),
  });
}

/** Shows that the host has ended the session. */
export function showEnded({ shell, messages, reload }: LostTab, reason: string): void {
  shell.fail({
    code: 'shutdown',
    title: messages.text('ID_ERROR_ENDED_TITLE'),
    description: messages.text('ID_ERROR_ENDED', { reason }),
    retry: () => reload('ended'),
  });
}

/** Shows that policy forbids the page in this kind of frame (M-066). */
export function showFramingForbidden({ shell, messages }: LostTab): void {
  shell.state = 'error';
  shell.notice('framing', messages.text('ID_FRAMING'));
}

/** Shows that the isolated browser has stopped, and that policy or its crashes do not allow to restore the tab. */
export function showSurrogateLost({ shell, messages, reload }: Omit<LostTab, 'window'>, reason: string): void {
  shell.fail({
    code: 'surrogate-lost',
    title: messages.text('ID_ERROR_TITLE'),
    description: messages.text('ID_ERROR_SURROGATE', { reason }),
    retry: () => reload('surrogate lost'),
  });
}
