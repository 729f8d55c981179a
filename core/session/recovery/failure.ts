import * as v from 'valibot';
import { slot } from '../../contracts/slots.ts';
import type { Report } from '../../events/report.ts';
import { CLOSED_BY_PAGE } from '../../protocol/closed-by-page.ts';
import type { Messages } from '../../overlay/messages.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { question } from '../../overlay/question.ts';
import type { QuestionProps } from '../../overlay/question.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { LostTab } from './lost-tab.ts';
import type { PairOutcome } from '../pairing/pairing.ts';
import { isFramingForbidden } from '../shell/framing-restriction.ts';
import { framingStatus } from '../shell/framing.ts';
import type { SessionInfo } from '../shell/session-info.ts';

/** Reason why a tab has no session. */
export type Failure =
  Exclude<PairOutcome, { readonly kind: 'paired' | 'elsewhere' }> | { readonly kind: 'bad-address' };

/** Texts by reason, and whether a retry may succeed. */
const TEXTS: Readonly<Record<Exclude<Failure['kind'], 'blocked'>, readonly [id: string, mayRetry: boolean]>> = {
  'bad-address': ['ID_ERROR_ADDRESS', false],
  'tab-limit': ['ID_ERROR_TAB_LIMIT', true],
  reload: ['ID_ERROR_VERSION', true],
  error: ['ID_ERROR_PAIRING', true],
};

/** The host's words about a page that the policy refuses. Texts are shown as they are. */
const blockSchema = v.object({
  site: v.pipe(v.string(), v.maxLength(300)),
  message: v.pipe(v.string(), v.maxLength(2000)),
});

interface FailedTab {
  readonly window: Window;
  readonly info: SessionInfo;
  readonly shell: ShellView;
  readonly messages: Messages;
  readonly report: Report;
  readonly ready: Promise<void>;
  readonly reload: (why: string) => void;
}

/** A tab in a frame, and its store. */
export interface FramedTab extends LostTab {
  readonly store: { readonly clear: () => void };
  readonly report: Report;
}

const tabLimit = slot<QuestionProps>('core.tab-limit', 'dialog');

/** Asks a person who has too many tabs what to do (S-016, S-142): over the error page, which stays when they do nothing. */
async function askForRoom({ window, info, messages, report, reload }: FailedTab): Promise<void> {
  const { document, location } = window;
  const overlay = new Overlay({
    document,
    texts: messages,
    report,
    origin: location.origin,
    hash: '',
    apiVersion: info.TC_API_VERSION,
  });
  const again = await overlay.slotsOf('core').ask(tabLimit, question, {
    title: messages.text('ID_TAB_LIMIT_TITLE'),
    text: messages.text('ID_ERROR_TAB_LIMIT'),
    no: messages.text('ID_CLOSE'),
    yes: messages.text('ID_RETRY'),
  });
  if (again === true) reload('tab_limit');
}

/** Shows why there is no session, in place of the page (S-060, R-058). `ready`: the texts have loaded or failed. */
export async function showFailure(failure: Failure, tab: FailedTab): Promise<void> {
  const { shell, messages, ready, reload } = tab;
  await ready;
  if (failure.kind === 'blocked') {
    showBlocked(failure.block, tab);
    return;
  }
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
  if (failure.kind === 'tab-limit') await askForRoom(tab);
}

/** Shows who refuses the page, in whose words, and what the person can do (S-060). */
function showBlocked(block: unknown, { shell, messages }: FailedTab): void {
  const given = v.safeParse(blockSchema, block);
  const { site, message } = given.success ? given.output : { site: '', message: '' };
  shell.fail({
    code: 'blocked',
    title: messages.text('ID_ERROR_BLOCKED_TITLE'),
    description: message || messages.text('ID_ERROR_BLOCKED'),
    details: messages.text('ID_ERROR_BLOCKED_DETAILS', { site: site || messages.text('ID_ERROR_BLOCKED_SITE') }),
  });
}

/**
 * Shows that the host has ended the session. Where the page has closed its window, the person's is closed, as far as their browser lets it;
 * only the top window does that (M-065).
 */
export function showEnded({ window, shell, messages, reload }: LostTab, reason: string): void {
  if (reason === CLOSED_BY_PAGE && window.top === window) window.close();
  shell.fail({
    code: 'shutdown',
    title: messages.text('ID_ERROR_ENDED_TITLE'),
    description: messages.text('ID_ERROR_ENDED', { reason }),
    retry: () => reload('ended'),
  });
}

/** Leaves a page that policy forbids in this kind of frame (M-066), and shows that. The next page in it has a session of its own. */
export function checkFraming(tab: FramedTab, restriction: unknown, leave: () => void): void {
  const { window, shell, messages, store, report } = tab;
  if (!isFramingForbidden(restriction, framingStatus(window))) return;
  report('tc-disallowed-framing', {}, { level: 'warning' });
  leave();
  store.clear();
  shell.state = 'error';
  window.document.getElementById('vitrine-preload')?.remove();
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
