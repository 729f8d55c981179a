import * as v from 'valibot';
import { finite, id, integer, text, upTo } from './atoms.ts';
import type { Schema } from './message.ts';

const optional = v.exactOptional;
const px = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(32_768));

/** Device metrics (S-042); sizes in CSS px. */
const deviceMetricsSchema = v.object({
  screen_size: v.object({ width: px, height: px }),
  screen_orientation_type: v.picklist(['portrait', 'landscape']),
  screen_orientation_angle: finite,
  device_scale_factor: v.pipe(v.number(), v.minValue(0.1), v.maxValue(10)),
  scrollbar_thickness: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  enable_touch_events: v.boolean(),
  max_touch_points: upTo(16),
  mobile: v.boolean(),
});

/**
 * Media features that pages may query, each with its non-default values. Where several values apply, the last one is the most specific
 * (S-042).
 */
export const MEDIA_FEATURES = [
  'prefers-color-scheme: dark',
  'prefers-reduced-motion: reduce',
  'prefers-reduced-transparency: reduce',
  'prefers-contrast: more',
  'prefers-contrast: less',
  'prefers-contrast: custom',
  'forced-colors: active',
  'color-gamut: p3',
  'color-gamut: rec2020',
] as const;

/** The person's view, and properties of the browser that the surrogate copies. */
export const renderParamsSchema = v.object({
  view_size: v.object({ width: px, height: px }),
  device_metrics: deviceMetricsSchema,
  /** Features that match in the person's browser. */
  media_features: v.pipe(v.array(v.picklist(MEDIA_FEATURES)), v.maxLength(MEDIA_FEATURES.length)),
  user_agent: text(1000),
  /** The visible part of a pinch-zoomed view, and the view's height before an on-screen keyboard opened. */
  visual_viewport: optional(
    v.object({
      x: finite,
      y: finite,
      width: px,
      height: px,
      scale: finite,
    }),
  ),
  initial_view_height: optional(px),
});
export type RenderParams = v.InferOutput<typeof renderParamsSchema>;

const pairRequestFields = {
  /** The address to open, absolute. */
  url: text(65_536),
  transparent_mode: optional(v.boolean()),
  read_only_entry: optional(v.boolean()),
  pid: optional(text(44)),
  mpa_id: optional(text(100)),
  pair_node: optional(text(100)),
  persistent_policy: optional(v.unknown()),
  timezone: text(100),
  build_id: text(100),
  top_frame_doctype: optional(text(1000)),
  language: text(100),
  languages: v.pipe(v.array(text(100)), v.maxLength(50)),
  platform: text(100),
  /** The shell's own referrer: another site's, or that of an isolated page, which sites never learn. */
  referrer: optional(text(65_536)),
  framing_status: optional(v.number()),
  viewport_bounds: optional(v.unknown()),
  render_params: renderParamsSchema,
  supports_mse: optional(v.boolean()),
  unsupported_media_formats: optional(v.array(text(100))),
  force_isolate: optional(v.boolean()),
  is_post: optional(v.boolean()),
  body: optional(text(10_000_000)),
  content_type: optional(text(300)),
  host: text(300),
  reload_allowed: optional(v.boolean()),
  /** Protocol version of the client: see PROTOCOL_VERSION. */
  tc_api: integer,
  pa_tok: optional(text(300)),
  /** Headers of the request for the shell: `sec-fetch-site`, where the person's browser has sent it. */
  doc_headers: optional(v.unknown()),
  xheaders: optional(v.unknown()),
  chrome_posture: optional(v.unknown()),
  client_hints: optional(v.record(text(100), text(1000))),
  /** Not in the specification: names one attempt to get a tab. A request that repeats it gets the tab of the first. */
  attempt: optional(text(100)),
};

const pairRequest = v.object(pairRequestFields);
/** The body of POST /r/pair (S-038). */
export type PairRequest = v.InferOutput<typeof pairRequest>;
export const pairRequestSchema: Schema<PairRequest> = pairRequest;

/** A pure function, so that clients are built without the schema: a bundler keeps an unused object spread. */
const repairFields = () => ({
  ...pairRequestFields,
  tab_id: text(100),
  hid: optional(text(100)),
  safe_rid: text(100),
  dnt: optional(v.boolean()),
  popup_initial_pair: optional(v.boolean()),
  doctype_correction: optional(v.boolean()),
});
const repairRequest = v.object(/* @__PURE__ */ repairFields());
/** The body of POST /r/repair (S-039). */
export type RepairRequest = v.InferOutput<typeof repairRequest>;
export const repairRequestSchema: Schema<RepairRequest> = repairRequest;

const unpairRequest = v.object({
  build_id: optional(text(100)),
  tc_api: optional(v.number()),
  url: optional(text(65_536)),
  host: optional(text(300)),
  transparent_mode: optional(v.boolean()),
  mpa_id: optional(text(100)),
  tab_id: optional(text(100)),
  safe_rid: text(100),
});
/** The body of POST /r/unpair (S-032). */
export type UnpairRequest = v.InferOutput<typeof unpairRequest>;
export const unpairRequestSchema: Schema<UnpairRequest> = unpairRequest;

const grant = v.object({
  id: text(50),
  version: text(50),
  variant: text(50),
  base: id,
  count: id,
  /** The flag that selected the variant, for exposure events. */
  flag: optional(text(60)),
  /** Address of the client half, for plugins that are not part of the client build and have one. */
  module: optional(text(1000)),
  /** The manifest of such a plugin, without its protocol. */
  manifest: optional(v.unknown()),
});

const pairAnswer = v.object({
  /** Identifies the tab to the host: secret, bound to the person. */
  safe_rid: optional(text(100)),
  /** Identifies the surrogate session in query strings. */
  cid: optional(text(100)),
  rid: optional(text(100)),
  tab_id: optional(text(100)),
  cluster_id: optional(text(100)),
  s_nid: optional(text(100)),
  client_caps: optional(v.record(v.string(), v.unknown())),
  site_caps: optional(v.record(v.string(), v.unknown())),
  /** Not in the specification: the plugins that the client loads, and their opcodes (design: versions). */
  plugins: optional(v.array(grant)),
  /** Not in the specification: `reload` when the host does not support the client's protocol version. */
  version: optional(v.picklist(['ok', 'reload'])),
  pa_tok: optional(text(300)),
  login_url: optional(text(2000)),
  posture_url: optional(text(2000)),
  /** The page is opened without isolation: at its own address, at another, or with a token that lets it pass the transparent proxy. */
  direct_access: optional(
    v.union([v.boolean(), text(2000), v.object({ url: optional(text(65_536)), bypass_token: optional(text(300)) })]),
  ),
  /** `pairing_retry`, `global_pool_depleted`, `tab_limit`, `show_error_page`, `access_denied_redirect`, or one of our codes. */
  error: optional(text(100)),
  error_page: optional(v.object({ title: text(300), message: text(2000), details: optional(text(4000)) })),
  redirect_url: optional(text(2000)),
  /** Redirects that led to the page, and the address that they started from. */
  rc_rlist: optional(v.array(text(2000))),
  rc_url: optional(text(65_536)),
  block: optional(v.unknown()),
  retry_nid: optional(text(100)),
  integrity_hosts: optional(v.array(text(300))),
  inspect_host: optional(text(300)),
  use_integrity_token: optional(v.boolean()),
  sb: optional(text(300)),
  customization: optional(v.unknown()),
  banner_hidden: optional(v.boolean()),
  reload_allowed: optional(v.boolean()),
  ui_frame_hash: optional(text(100)),
});
/** The response of POST /r/pair and /r/repair (S-037). */
export type PairAnswer = v.InferOutput<typeof pairAnswer>;
export const pairAnswerSchema: Schema<PairAnswer> = pairAnswer;
