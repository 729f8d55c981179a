import { AppError } from '../protocol/errors.ts';
import { PULL_HOLD_MS } from '../protocol/wire.ts';

/** How a channel behaves in time; all in milliseconds but the retries (M-062). */
export interface ChannelConfig {
  /** Timeout of a pull request, in ms: longer than the host holds it. */
  readonly pullTimeoutMs: number;
  readonly pushTimeoutMs: number;
  /** Time without an answer to a ping, in ms, after which the transport is closed. */
  readonly pongTimeoutMs: number;
  /** A round trip longer than this is reported, once. */
  readonly highRttMs: number;
  /** The oldest unacknowledged message is this old: latency level 1 (M-045). */
  readonly latencyNotificationMs: number;
  readonly wsSessionFoundMs: number;
  /** Time after which a channel that has lost its connection stops reconnecting, in ms. */
  readonly wsReconnectMs: number;
  /** Timeout of the echo that checks whether websockets pass, in ms. */
  readonly wsTestMs: number;
  /** Wait before the first reconnect; doubled for each further one, up to {@link MAX_BACKOFF_MS}. */
  readonly wsBackoffMs: number;
  readonly wsMaxRetries: number;
  readonly pollMaxRetries: number;
}

/** Between two pulls of a passive window, which the host does not hold (M-074): a held one would take a connection from others. */
export const PASSIVE_PULL_MS = 3000;
/**
 * While a channel polls, websockets are tried again after so long, doubled for each time that they have failed, up to the second.
 */
export const WS_AGAIN_MS = 30_000;
export const WS_AGAIN_MAX_MS = 600_000;
/** A connection that lasts for so long has not failed, though it ends; one that is cut again and again has. */
export const STABLE_MS = 10_000;
/** A message is missing and nothing has come for so long: it is asked for (`srm`). */
export const MISSING_MS = 3000;
/** Between two pings (M-075). */
export const PING_INTERVAL_MS = 12_000;
/** Between two looks at the latency level, and from level 1 to level 2 (M-045). */
export const LATENCY_CHECK_MS = 1000;
export const LATENCY_STEP_MS = 5000;
/** Longest delay of an acknowledgement, in ms, and number of messages after which one is sent at once. */
export const ACK_DELAY_MS = 50;
export const ACK_EVERY = 64;
/** Short, because the person waits: a network that is back is found within a second. */
export const MAX_BACKOFF_MS = 1000;

/** Values of ours where the specification shows none. */
const DEFAULT_CHANNEL_CONFIG: ChannelConfig = {
  pullTimeoutMs: 20_000,
  pushTimeoutMs: 10_000,
  pongTimeoutMs: 5000,
  highRttMs: 1000,
  latencyNotificationMs: 3000,
  wsSessionFoundMs: 5000,
  wsReconnectMs: 60_000,
  wsTestMs: 5000,
  wsBackoffMs: 250,
  wsMaxRetries: 3,
  pollMaxRetries: 3,
};

/**
 * Completes a configuration.
 *
 * @throws AppError `channel-config` naming a parameter that is missing or of no use (M-062).
 */
export function channelConfig(
  given: { readonly [K in keyof ChannelConfig]?: ChannelConfig[K] | undefined } = {},
): ChannelConfig {
  const config = { ...DEFAULT_CHANNEL_CONFIG, ...given };
  for (const [name, value] of Object.entries(config))
    if (typeof value !== 'number' || !(value >= 0)) throw new AppError('channel-config', `${name} is not defined`);
  if (!(Number(config.pullTimeoutMs) > PULL_HOLD_MS))
    throw new AppError('channel-config', `pullTimeoutMs must be above ${PULL_HOLD_MS}`);
  return config as ChannelConfig; // all values have just been seen to be numbers
}
