import type { Report } from '../../events/report.ts';
import type { PairRequest } from '../../protocol/pairing.ts';
import { PROTOCOL_VERSION } from '../../protocol/wire.ts';
import { framingStatus } from '../shell/framing.ts';
import type { PageAddress } from '../shell/page-address.ts';
import { renderParams } from '../shell/render-params.ts';
import type { SessionInfo } from '../shell/session-info.ts';

const MEDIA_FORMATS = [
  'video/mp4; codecs="avc1.42E01E"',
  'video/mp4; codecs="hvc1.1.6.L93.B0"',
  'video/webm; codecs="vp9"',
  'video/webm; codecs="av01.0.05M.08"',
  'audio/mpeg',
  'audio/mp4; codecs="mp4a.40.2"',
  'audio/ogg; codecs="opus"',
];

/** User-agent client hints. Not every browser has them, and the DOM types do not declare them yet. */
interface AgentData {
  readonly brands: readonly { readonly brand: string; readonly version: string }[];
  readonly mobile: boolean;
  readonly platform: string;
  getHighEntropyValues(hints: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

const HINTS = {
  architecture: 'sec-ch-ua-arch',
  bitness: 'sec-ch-ua-bitness',
  model: 'sec-ch-ua-model',
  platformVersion: 'sec-ch-ua-platform-version',
  fullVersionList: 'sec-ch-ua-full-version-list',
} as const;

async function clientHints(navigator: Navigator): Promise<Record<string, string> | undefined> {
  const data = 'userAgentData' in navigator ? (navigator.userAgentData as AgentData) : undefined; // see AgentData
  if (!data) return undefined;
  const values = await data
    .getHighEntropyValues(Object.keys(HINTS))
    .catch((): Readonly<Record<string, unknown>> => ({}));
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1000);
  return {
    'sec-ch-ua': text(data.brands),
    'sec-ch-ua-mobile': data.mobile ? '?1' : '?0',
    'sec-ch-ua-platform': data.platform.slice(0, 1000),
    ...Object.fromEntries(
      Object.entries(HINTS).flatMap(([key, header]) =>
        values[key] === undefined ? [] : [[header, text(values[key])]],
      ),
    ),
  };
}

function doctype(document: Document): string {
  const { doctype: type } = document;
  return type
    ? `<!DOCTYPE ${type.name}${type.publicId && ` PUBLIC "${type.publicId}"`}${type.systemId && ` "${type.systemId}"`}>`
    : '';
}

/** Values of the cookie that the posture page, which checks the person's device, may have set on this origin. */
const POSTURES = ['compliant', 'noncompliant', 'unknown'];

/** Values that earlier responses and the person's browser keep for the next pairing. */
interface PairMemory {
  readonly pair_node?: string;
  readonly pid?: string;
  readonly pa_tok?: string;
  readonly persistent_policy?: unknown;
  readonly chrome_posture?: string;
}

/** The device's posture, if it may be sent to the host. An unexpected value is reported and not sent (S-157). */
export function knownPosture(value: string | undefined, report: Report): string | undefined {
  if (value === undefined || POSTURES.includes(value)) return value;
  report('tc-posture-unexpected-value', { value: value.slice(0, 100) }, { level: 'warning' });
  return undefined;
}

/** IANA name of the person's time zone. In Chromium the first use of `Intl` takes about 20 ms, `Temporal` none. */
function timeZone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } }; // not yet declared in the DOM types
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Collects the body of POST /r/pair from the browser (S-038). */
export async function pairRequest(
  window: Window & typeof globalThis,
  info: SessionInfo,
  address: PageAddress,
  memory: PairMemory,
): Promise<PairRequest> {
  const { navigator, document, location } = window;
  const video = document.createElement('video');
  const hints = await clientHints(navigator);
  return {
    url: address.url,
    transparent_mode: info.TPROXY_ENABLED,
    read_only_entry: false,
    ...(address.mpaId !== undefined && { mpa_id: address.mpaId }),
    pid: '',
    pair_node: '',
    pa_tok: '',
    persistent_policy: null,
    chrome_posture: null,
    ...memory,
    timezone: timeZone(),
    build_id: info.BUILD_ID.slice(0, 100),
    top_frame_doctype: doctype(document),
    language: navigator.language,
    languages: navigator.languages.slice(0, 50),
    platform: navigator.platform,
    referrer: document.referrer.slice(0, 65_536),
    framing_status: framingStatus(window),
    viewport_bounds: { x: window.screenX, y: window.screenY, width: window.innerWidth, height: window.innerHeight },
    render_params: renderParams(window),
    supports_mse: 'MediaSource' in window,
    unsupported_media_formats: MEDIA_FORMATS.filter((format) => video.canPlayType(format) === ''),
    force_isolate: address.forceIsolate ?? false,
    is_post: info.POST !== undefined,
    ...info.POST,
    host: location.host,
    reload_allowed: info.POST === undefined, // to reload it would send the form again
    tc_api: PROTOCOL_VERSION,
    doc_headers: { 'sec-fetch-site': info.FETCH_SITE },
    xheaders: {},
    ...(hints && { client_hints: hints }),
  };
}

/** The entry of the page's history that the shell's entry represents (M-025); none when the person opened this address directly. */
export function entryOf(state: unknown): { readonly hid?: string } {
  const hid = (state as { readonly hid?: unknown } | null | undefined)?.hid; // any value may be stored
  return typeof hid === 'number' ? { hid: String(hid) } : {};
}
