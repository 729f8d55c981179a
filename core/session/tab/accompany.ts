import type { Channel } from '../../channel/channel.ts';
import type { Commands } from '../../contracts/scope.ts';
import type { Renderer } from '../../contracts/renderer.ts';
import type { Report } from '../../events/report.ts';
import type { RenderParams } from '../../protocol/pairing.ts';
import { electActiveTab } from './active-tab.ts';
import { readCookie, setCookie } from '../shell/cookies.ts';
import { tellPresence } from './presence.ts';

/** What goes along with a running session. */
interface AccompanyOptions {
  readonly window: Window & typeof globalThis;
  /** What the host has been told of the view at pairing. */
  readonly told: RenderParams;
  readonly renderer: Renderer | undefined;
  readonly commands: Pick<Commands, 'send'>;
  readonly channel: Pick<Channel, 'status'>;
  readonly report: Report;
}

/** What a session needs only once it runs, and boot does not wait for: presence, the election of the active tab, the cursor of a slow line. */
export function accompany({ window, told, renderer, commands, channel, report }: AccompanyOptions): void {
  const { document } = window;
  tellPresence({ window, told, commands, channel, report });
  // Fetched while the line is still good.
  if (renderer) void import('../../input/latency-cursor.ts').then(({ showLatency }) => showLatency(document, renderer));
  electActiveTab({
    window,
    readCookie: (name) => readCookie(document, name),
    writeCookie: (name, value) => setCookie(document, name, value),
    documents: (visit) => void renderer?.documents((view) => visit(view.document)),
  });
}
