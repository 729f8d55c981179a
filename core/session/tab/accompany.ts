import type { Channel } from '../../channel/channel.ts';
import type { Commands } from '../../contracts/scope.ts';
import type { Renderer } from '../../contracts/renderer.ts';
import type { PluginLoader } from '../../loader/loader.ts';
import type { Report } from '../../events/report.ts';
import type { RenderParams } from '../../protocol/pairing.ts';
import { inputAway } from '../../protocol/core-messages.ts';
import { electActiveTab } from './active-tab.ts';
import { readCookie, setCookie } from '../shell/cookies.ts';
import { reportPresence } from './presence.ts';

const UNFINISHED = 'vitrine-unfinished-';

/** Dependencies of {@link accompany}. */
interface AccompanyOptions {
  readonly window: Window & typeof globalThis;
  /** Parameters of the view that were sent to the host at pairing. */
  readonly sentParams: RenderParams;
  readonly renderer: Renderer | undefined;
  readonly commands: Pick<Commands, 'send'>;
  readonly channel: Pick<Channel, 'status'>;
  readonly report: Report;
  readonly loader: Pick<PluginLoader<unknown>, 'readiness'>;
  /** Of the tab; undefined where the browser's settings forbid it. */
  readonly storage: Storage | undefined;
}

/**
 * Starts the parts of a running session that boot does not wait for: presence, the election of the active tab, the cursor for a slow
 * connection, keys that come up elsewhere, plugins with work that an earlier session has not finished.
 */
export function accompany({
  window,
  sentParams,
  renderer,
  commands,
  channel,
  report,
  loader,
  storage,
}: AccompanyOptions): void {
  const { document } = window;
  reportPresence({ window, sentParams, commands, channel, report });
  // As `unfinishedWork` has named them; asking begins their activation.
  for (const key of Object.keys(storage ?? {}))
    if (key.startsWith(UNFINISHED)) loader.readiness(key.slice(UNFINISHED.length));
  const sendAway = (): void => {
    if (channel.status !== 'dead') commands.send(inputAway, undefined);
  };
  // Fetched while the connection is still good.
  if (renderer)
    void import('../../input/late-input.ts').then(({ accompanyInput }) => accompanyInput(document, renderer, sendAway));
  electActiveTab({
    window,
    readCookie: (name) => readCookie(document, name),
    writeCookie: (name, value) => setCookie(document, name, value),
    documents: (visit) => void renderer?.documents((view) => visit(view.document)),
  });
}
