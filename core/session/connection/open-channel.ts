import { Channel } from '../../channel/channel.ts';
import type { ChannelEvents } from '../../channel/channel.ts';
import { channelConfig } from '../../channel/config.ts';
import { lateTransport } from '../../channel/late-transport.ts';
import { beginWebSocket, webSocketTransport } from '../../channel/websocket.ts';
import type { Begun } from '../../channel/websocket.ts';
import { randomId } from '../../channel/random-id.ts';
import type { PingMeter } from '../../events/ping-stats.ts';
import type { Reporter } from '../../events/reporter.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { Packet } from '../../protocol/endpoint.ts';
import type { Lane } from '../../protocol/lanes.ts';
import type { Paired } from '../pairing/pairing.ts';

/** A channel that is away for longer is worth a word to the person (S-030): a reconnect takes a fraction of it. */
const TROUBLE_AFTER_MS = 2500;
/** The code of the long poll is loaded so long after the start, in ms: what is needed to show the page goes first. */
const POLL_CODE_MS = 5000;

/** A channel whose websocket has been opened before its tab was paired, under the name of the attempt. */
export interface ChannelAhead extends Begun {
  readonly chid: string;
}

/** Opens the websocket of a channel while its tab is paired: a connection takes as many round trips. Undefined where the browser refuses. */
export function openAhead({ location }: Window, attempt: string): ChannelAhead | undefined {
  const query = { attempt, chid: randomId(16), xid: randomId(16) };
  try {
    return { chid: query.chid, ...beginWebSocket(location.origin, String(new URLSearchParams(query))) };
  } catch {
    return undefined; // the channel tries again, and reports it
  }
}

/** Options of the channel of a tab. */
export interface TabChannelOptions {
  readonly window: Window & typeof globalThis;
  readonly answer: Paired;
  readonly ahead: ChannelAhead | undefined;
  readonly tabId: string;
  readonly reporter: Reporter;
  readonly pings: PingMeter;
  readonly shell: ShellView;
}

/**
 * Opens the channel of a paired tab: a websocket, and the long poll where it fails, unless policy forbids that (M-003). Whoever opened it
 * closes it.
 */
export function openChannel(
  { window, answer, ahead, tabId, reporter, pings, shell }: TabChannelOptions,
  onPacket: (lane: Lane, packet: Packet) => void,
  onBinary: ChannelEvents['binary'],
  onDead: (reason: string) => void,
): Channel {
  const { location, document } = window;
  let troubleTimer: ReturnType<typeof setTimeout> | undefined;
  const config = channelConfig();
  let isPassive = false;
  const isActive = (): boolean => !isPassive && !document.hidden;
  const poll = lateTransport('xhr', async () => {
    const { longPoll } = await import('../../channel/long-poll.ts');
    return longPoll({ origin: location.origin, config, isActive });
  });
  const mayPoll = answer.client_caps?.['disable_long_poll'] !== true;
  const channel = new Channel({
    config,
    websocket: webSocketTransport(location.origin, ahead),
    ...(mayPoll && { poll }),
    query: {
      cid: answer.cid,
      rid: answer.rid ?? '',
      tab_id: tabId,
      ...(answer.cluster_id !== undefined && { cl: answer.cluster_id }),
      ...(ahead && { chid: ahead.chid }),
    },
    events: {
      packet: onPacket,
      binary: onBinary,
      roundTrip: (ms, mode) => {
        pings.add(ms, mode);
        if (ms > config.highRttMs) reporter.report('tc-high-rtt', { ms, mode });
      },
      latency: (level) => {
        document.documentElement.dataset['vitrineLatency'] = String(level);
      },
      fault: ({ code, message }) => {
        const name = code === 'websocket-create-failed' ? 'tc-websocket-create-failed' : 'tc-channel-fault';
        reporter.report(name, { code, message }, { level: 'error' });
      },
      status: (status, reason = 'client-close') => {
        clearTimeout(troubleTimer);
        if (status === 'connected') shell.notice('channel');
        if (status === 'dead') onDead(reason);
        // A network that fails later would not bring the code that helps.
        if (status === 'connected' && mayPoll) setTimeout(poll.load, POLL_CODE_MS);
        if (status !== 'pending') return;
        troubleTimer = setTimeout(() => {
          shell.trouble('channel');
        }, TROUBLE_AFTER_MS);
      },
    },
  });
  const wake = (): void => {
    if (isActive()) channel.wake();
  };
  window.addEventListener('online', () => {
    channel.wake();
  });
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('window-became-passive', () => {
    isPassive = true;
  });
  window.addEventListener('window-became-active', () => {
    isPassive = false;
    wake();
  });
  return channel;
}
