import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { PairRequest, RenderParams } from '../../../core/protocol/pairing.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import type { PageSessions, SessionKind } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';
import { personUserAgent } from './person-user-agent.ts';

/** Properties of the person's browser that the surrogate's page emulates, as sent at pairing. */
export type PersonBrowser = Pick<
  PairRequest,
  'language' | 'languages' | 'timezone' | 'platform' | 'render_params' | 'client_hints'
>;

/** Limits of a client's sizes for layout and painting, in CSS px and as a factor. */
const MAX_VIEW = 8192;
const MAX_SCALE = 5;
const MIN_SCALE = 0.25;

/** Media features that follow the person's browser, with the defaults for those that it does not report. */
const USUAL_MEDIA = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-reduced-transparency': 'no-preference',
  'prefers-contrast': 'no-preference',
  'forced-colors': 'none',
  'color-gamut': 'srgb',
};

/**
 * Makes all targets of a tab resemble the person's browser (S-042, S-068, R-087), new ones before their first script.
 */
export class Emulation {
  readonly #sessions: PageSessions;
  readonly #surrogate: () => UserAgent;
  readonly #browser: PersonBrowser;
  #params: RenderParams;
  #visible = true;

  /** `surrogate` returns the user agent of the present Chromium. */
  constructor(sessions: PageSessions, browser: PersonBrowser, surrogate: () => UserAgent) {
    this.#sessions = sessions;
    this.#surrogate = surrogate;
    this.#browser = browser;
    this.#params = browser.render_params;
    sessions.listen({ added: ({ session, kind }) => this.#apply(session, kind) });
  }

  get params(): RenderParams {
    return this.#params;
  }

  /** Applies new sizes and preferences. */
  update(params: RenderParams): void {
    if (isDeepStrictEqual(params, this.#params)) return;
    this.#params = params;
    for (const { session, kind } of this.#sessions.documents()) this.#applyParams(session, kind);
  }

  /** Whether pages are visible to themselves. */
  get visible(): boolean {
    return this.#visible;
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    for (const { session } of this.#sessions.documents())
      quietly(session.send('Emulation.setFocusEmulationEnabled', { enabled: visible }));
  }

  #apply(session: CdpSession, kind: SessionKind): void {
    quietly(session.send('Emulation.setUserAgentOverride', personUserAgent(this.#browser, this.#surrogate())));
    if (kind === 'worker') return;
    const { language, timezone } = this.#browser;
    // Rejected where another session of the same process has set it already: then it applies to this one too.
    quietly(session.send('Emulation.setLocaleOverride', { locale: language.replaceAll('-', '_') }));
    quietly(session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }));
    quietly(session.send('Emulation.setFocusEmulationEnabled', { enabled: this.#visible }));
    this.#applyParams(session, kind);
  }

  #applyParams(session: CdpSession, kind: SessionKind): void {
    const { device_metrics: metrics, media_features } = this.#params;
    const media = new Map<string, string>(Object.entries(USUAL_MEDIA));
    for (const feature of media_features) {
      const [name = '', value = ''] = feature.split(': ');
      media.set(name, value);
    }
    const features = [...media].map(([name, value]) => ({ name, value }));
    quietly(session.send('Emulation.setEmulatedMedia', { features }));
    // Where a mouse is used beside a touch screen, touch emulation would remove hover and fine pointers from the page.
    const enabled = metrics.enable_touch_events && metrics.mobile;
    const touches = { maxTouchPoints: Math.max(1, metrics.max_touch_points) };
    quietly(session.send('Emulation.setTouchEmulationEnabled', { enabled, ...(enabled && touches) }));
    if (kind !== 'page') return;
    quietly(session.send('Emulation.setDeviceMetricsOverride', deviceMetrics(this.#params)));
    quietly(session.send('Emulation.setScrollbarsHidden', { hidden: metrics.scrollbar_thickness === 0 }));
  }
}

function deviceMetrics({
  view_size,
  device_metrics: metrics,
}: RenderParams): Protocol.Emulation.SetDeviceMetricsOverrideRequest {
  const side = (length: number): number => Math.min(MAX_VIEW, Math.max(1, Math.round(length)));
  const portrait = metrics.screen_orientation_type === 'portrait';
  return {
    width: side(view_size.width),
    height: side(view_size.height),
    deviceScaleFactor: Math.min(MAX_SCALE, Math.max(MIN_SCALE, metrics.device_scale_factor)),
    mobile: metrics.mobile,
    screenWidth: side(metrics.screen_size.width),
    screenHeight: side(metrics.screen_size.height),
    screenOrientation: {
      type: portrait ? 'portraitPrimary' : 'landscapePrimary',
      angle: (((Math.round(metrics.screen_orientation_angle / 90) * 90) % 360) + 360) % 360,
    },
  };
}
