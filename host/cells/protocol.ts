/**
 * Calls, notices and streams between the gateway and a cell, with the schemas of what they carry. A cell may be compromised: the
 * gateway checks what comes from it, and names the person itself.
 */
import * as v from 'valibot';
import { LAUNCH_PREFERENCES } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type { Schema } from '../../core/protocol/message.ts';
import { MAX_DISPLAY_SCALE } from '../base/display-scale.ts';
import { ROUTE_STATUSES } from '../contracts/routes.ts';
import { routeHeadFacts } from '../contracts/route-head.ts';
import { optionsSchema } from '../declared/options.ts';
import { RESOURCE_TYPES } from '../resources/resource-headers.ts';

/** Calls from the gateway to a cell. */
export const TO_CELL = {
  /** Prepares a started cell; once, before everything else. Params: its settings; body: plugins from outside the build. */
  setUp: 'cell.set-up',
  /** Gives a warm cell its person; once. Params: the person; body: their policy. */
  begin: 'cell.begin',
  /** Params: a pair request without its `body`, which comes as the call's. */
  pair: 'cell.pair',
  repair: 'cell.repair',
  /** Opens a tab again whose session has slept. Params: its place, and the request of its client. */
  restore: 'cell.restore',
  unpair: 'cell.unpair',
  resource: 'cell.resource',
  /** Params: the channel and number of a frame of pieces; body: the frame. */
  bodies: 'cell.bodies',
  /** Params: a request to a plugin's route; body: the request's. Answered by the head of the answer and its body. */
  request: 'cell.request',
  /** Ends the session as one that its person may come back to. Answered by what is kept of it. */
  sleep: 'cell.sleep',
  /** Ends the session in order: clients are notified, the browser is closed. */
  close: 'cell.close',
} as const;

/** Notices from the gateway to a cell. */
export const NOTICE_TO_CELL = {
  expect: 'cell.expect',
  policy: 'cell.policy',
  ports: 'cell.ports',
  /** The machine is short of memory: give back some. */
  relieve: 'cell.relieve',
  browserOutput: 'browser.output',
  browserExited: 'browser.exited',
} as const;

/** Calls from a cell to the gateway. All are about the person whom the gateway has given it. */
export const TO_GATEWAY = {
  grant: 'policy.grant',
  policy: 'policy.get',
  keepCookies: 'cookies.keep',
  findCookies: 'cookies.find',
  forgetCookies: 'cookies.forget',
  learnFonts: 'fonts.learn',
  /** Prepares a browser; it starts when the cell connects to the socket in the answer. */
  startBrowser: 'browser.start',
  killBrowser: 'browser.kill',
  /** Has the decoder of the person convert a picture: see `TO_DECODER.picture`. */
  convertPicture: 'pictures.convert',
} as const;

/** Calls from the gateway to a decoder. */
export const TO_DECODER = {
  /** Makes a started process a decoder; once, before everything else. */
  setUp: 'decoder.set-up',
  /** Converts a picture. Params: how; body: its file. Answered by its size as displayed; body: the converted file. */
  picture: 'decoder.picture',
  /** Cuts a piece out of a font. Params: which; body: its file. Answered by the piece as WOFF2. */
  cut: 'decoder.cut',
} as const;

/** Notices from a cell to the gateway. */
export const NOTICE_TO_GATEWAY = {
  counts: 'cell.counts',
  ports: 'cell.ports',
  fault: 'cell.fault',
  log: 'cell.log',
  /** Counters and events of plugins. */
  records: 'cell.records',
  /** The session is over by itself; the cell ends. Params: what is kept of it for its person's return, or null. */
  released: 'cell.released',
} as const;

/** The stream that carries a tab's channel; its first chunk from the cell says whether it is attached. */
export const CHANNEL_STREAM = 'channel';

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const id = text(200);

const budget = v.object({ soft: count, hard: count });
const duration = v.pipe(v.number(), v.minValue(0));
/** Scale of the display of a browser. */
const scale = v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_DISPLAY_SCALE));
/** Settings of a cell, the same for all. */
export const cellSettingsSchema = v.object({
  limits: v.object({
    tabsPerPerson: count,
    idleMs: duration,
    lifetimeMs: duration,
    leaveMs: duration,
    sleepMs: duration,
    freezeMs: duration,
    graceMs: duration,
    spareMs: duration,
    pageMessagesPerSecond: count,
    budgets: v.object({
      sanitizing: budget,
      messages: budget,
      fonts: budget,
      pictures: budget,
      names: budget,
      requests: budget,
    }),
  }),
  egress: v.object({
    allowNetworks: v.array(text(300)),
    allowPrivate: v.boolean(),
    /** Public origins of the host. */
    ownOrigins: v.array(text(300)),
    network: v.object({ connections: count, names: count }),
  }),
  /** Permissions that plugins have denied to all sites. */
  denied: v.array(v.picklist(LAUNCH_PREFERENCES)),
  /** Folder of the extension, readable by cells. */
  extensionDir: text(4096),
  /** Plugins of the build that are left out. */
  without: v.array(text(100)),
  /** Settings of the policy that plugins have declared. */
  declared: v.array(
    v.object({
      plugin: text(100),
      settings: v.record(text(100), v.record(text(100), v.unknown())),
      isExternal: v.boolean(),
      isLeftOut: v.boolean(),
    }),
  ),
  /** Values of the options that plugins have declared, by plugin. */
  options: optionsSchema,
  logLevel: v.picklist(['debug', 'info', 'warn', 'error']),
  /** Scale of the display of the browser that is started ahead of need; default: 1. */
  scale: v.exactOptional(scale),
});
export type CellSettings = v.InferOutput<typeof cellSettingsSchema>;

export const startBrowserSchema = v.object({ proxyPort: port, scale });
/** A browser that starts when the cell connects, with the id of its user where it has one of its own. */
export const browserSchema = v.object({
  id: text(100),
  socketPath: text(200),
  uid: v.exactOptional(count),
  exchange: v.exactOptional(v.object({ folder: text(4096), bytes: count })),
});
export const killBrowserSchema = v.object({ id: text(100) });
export const browserExitedSchema = v.object({
  id: text(100),
  code: v.nullable(v.number()),
  signal: v.nullable(text(20)),
  reason: v.exactOptional(text(100)),
  stderr: v.pipe(v.array(text(1000)), v.maxLength(100)),
});

export const personSchema = v.object({
  subject: text(1000),
  tenant: text(1000),
  groups: v.pipe(v.array(text(1000)), v.maxLength(10_000)),
  origin: text(2000),
});

export const repairSchema = v.object({ cid: id, request: v.unknown() });
const place = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));
const asleepTab = v.object({ safeRid: id, url: text(8192), x: place, y: place });
/** A tab without its page: its secret id, its address, and where that was scrolled to. */
export type AsleepTab = Readonly<v.InferOutput<typeof asleepTab>>;
const asleepSession = v.object({ cid: id, tabs: v.pipe(v.array(asleepTab), v.maxLength(40)) });
/** The record of a session that nobody has come back to, beside its cookies. */
export type AsleepSession = Readonly<v.InferOutput<typeof asleepSession>>;
export const asleepSchema = v.nullable(asleepSession);
export const restoreSchema = v.object({ tab: asleepTab, request: v.unknown() });
export const resourceRequestSchema = v.object({ kind: text(10), token: text(1000) });
/** A request to a plugin's route. */
export const routeRequestSchema = v.object({
  method: v.picklist(['GET', 'POST']),
  path: text(300),
  rest: v.exactOptional(text(65_536)),
  query: v.record(text(100), text(65_536)),
  contentType: v.exactOptional(text(65_536)),
  range: v.exactOptional(text(200)),
  ifRange: v.exactOptional(text(200)),
});
/** Head of a route's answer, from which the gateway makes its headers. */
export const routeHeadSchema = v.union([
  /** `kept`: its body is one of a service that the gateway keeps. */
  v.object({ ...routeHeadFacts, status: v.picklist(ROUTE_STATUSES), kept: v.exactOptional(text(50)) }),
  v.object({
    code: text(100),
    message: text(2000),
    retryable: v.boolean(),
    status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  }),
]);
export type RouteHead = v.InferOutput<typeof routeHeadSchema>;
export const closeSchema = v.object({ reason: text(200), reconnect: v.boolean() });
export const shellSchema = v.object({
  url: text(65_536),
  userAgent: text(2000),
  referrer: text(65_536),
  docHeaders: v.record(text(100), text(1000)),
  isNew: v.boolean(),
});
/** Ports of one cell's egress proxies: one for each of its browsers. */
export const cellPortsSchema = v.object({ ports: v.pipe(v.array(port), v.maxLength(16)) });
/** Ports that a cell's egress refuses: those of the host and of all cells, each once. */
export const refusedPortsSchema = v.object({ ports: v.pipe(v.array(port), v.maxLength(65_535)) });

export const attachSchema = v.object({
  cid: id,
  tabId: id,
  chid: id,
  received: count,
  ackDelayMs: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000))),
});
/** A frame of pieces of bodies that a client has posted. */
export const postedSchema = v.object({ cid: id, tabId: id, chid: id, number: count });
/** First chunk of a channel stream, from the cell. */
export const attachedSchema = v.variant('state', [
  v.object({ state: v.literal('attached') }),
  v.object({ state: v.literal('unknown') }),
  v.object({ state: v.literal('refused'), code: text(100), message: text(2000) }),
]);
export type Attached = v.InferOutput<typeof attachedSchema>;

/** Facts of a resource from which the gateway makes its headers: it takes none from a cell. */
export const resourceFactsSchema = v.object({
  type: v.picklist(RESOURCE_TYPES),
  etag: v.pipe(v.string(), v.regex(/^"[\w-]{1,100}"$/)),
  cacheControl: v.pipe(v.string(), v.regex(/^private, (?:no-store|no-cache|max-age=\d{1,9}, immutable)$/)),
  size: count,
});

export const countsSchema = v.object({
  tabs: count,
  attached: count,
  hidden: count,
  left: count,
  frozen: count,
  discarded: count,
  surrogates: count,
  isWarm: v.boolean(),
  launches: count,
  failedLaunches: count,
  crashes: count,
});
/** Counts of a cell: its tabs, those with an attached client, of these those that are hidden, those that were left, pages that are frozen or discarded, its running browsers, whether one of them waits to be taken, and sums since its start. */
export type CellCounts = Readonly<v.InferOutput<typeof countsSchema>>;

export const grantRequestSchema = v.object({ url: text(65_536), userAgent: text(2000) });
export const familiesSchema = v.object({ families: v.pipe(v.array(text(200)), v.maxLength(1000)) });
export const faultSchema = v.object({
  from: v.picklist(['client', 'page', 'plugin', 'host', 'request']),
  code: text(100),
});
export const logSchema = v.object({
  level: v.picklist(['debug', 'info', 'warn', 'error']),
  message: text(2000),
  data: v.optional(v.record(text(100), v.unknown())),
});

const face = v.object({
  weight: text(100),
  stretch: text(100),
  italic: v.boolean(),
  local: text(1000),
  pieces: v.pipe(v.array(v.object({ range: text(20_000), path: text(300) })), v.maxLength(2000)),
});
/** Answer of `fonts.learn`: the families that are known now. */
export const fontsSchema = v.object({
  available: v.boolean(),
  faces: v.pipe(v.array(v.tuple([text(200), v.pipe(v.array(face), v.maxLength(500))])), v.maxLength(1000)),
});

/** Modules that a decoder imports, by the name of their package. */
export const decoderSetUpSchema = v.object({ modules: v.record(text(100), text(4096)) });
const side = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** The form that a picture is converted to: a quality from 1 to 100, the longest side in pixels. */
export const pictureJobSchema = v.object({
  format: v.picklist(['webp', 'png']),
  quality: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
  maxSide: side,
});
/** Size of a picture as it is displayed, before it was scaled down. */
export const pictureMadeSchema = v.object({ width: side, height: side });
export const cutJobSchema = v.object({
  index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff)),
  piece: v.pipe(v.string(), v.regex(/^(?:letters|symbols|kana|others|[\da-f]{1,6})$/)),
});

export const nothingSchema = v.optional(v.null());

const ENCODER = new TextEncoder();

/** JSON as a body: for values that may be larger than the params of a call. */
export function jsonBody(value: unknown): Uint8Array {
  return ENCODER.encode(JSON.stringify(value));
}

/**
 * Reads a body whole.
 *
 * @throws AppError `link-too-large` past `maxBytes`; what reading throws
 */
export async function readBody(body: AsyncIterable<Uint8Array> | undefined, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new AppError('link-too-large', `a body of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Reads a JSON body. @throws AppError as {@link readBody}, or `bad-message` */
export async function readJson<T>(
  body: AsyncIterable<Uint8Array> | undefined,
  schema: Schema<T>,
  name: string,
  maxBytes: number,
): Promise<T> {
  return validate(schema, parseJson(await readBody(body, maxBytes), name), name);
}

/** Maximum number of messages in a list. */
const MAX_LISTED = 2000;
/** First byte of an upstream chunk: the JSON after it is one message, or a list. */
const UPSTREAM = { one: 0, list: 1 };

/** A chunk of a channel's stream to the cell. */
export function upstreamChunk(json: Uint8Array, list?: 'list'): Uint8Array {
  return Buffer.concat([Uint8Array.of(UPSTREAM[list ?? 'one']), json]);
}

/** Messages of a chunk of {@link upstreamChunk}. @throws AppError `bad-message` */
export function upstreamMessages(chunk: Uint8Array): readonly unknown[] {
  const value = parseJson(chunk.subarray(1), 'upstream');
  if (chunk[0] !== UPSTREAM.list) return [value];
  if (!Array.isArray(value) || value.length > MAX_LISTED) throw new AppError('bad-message', 'upstream: not a list');
  return value as unknown[];
}

/** @throws AppError `bad-message` */
export function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as unknown;
  } catch {
    throw new AppError('bad-message', `${name}: not JSON`);
  }
}
