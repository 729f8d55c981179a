import type { Messages } from '../../overlay/messages.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { PairOutcome } from '../pairing/pairing.ts';

/** Reason why a tab has no session. */
type Failure = Exclude<PairOutcome, { readonly kind: 'paired' | 'elsewhere' }> | { readonly kind: 'bad-address' };

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
