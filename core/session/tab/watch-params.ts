import { MEDIA_FEATURES } from '../../protocol/pairing.ts';
import type { RenderParams } from '../../protocol/pairing.ts';
import { orientationOf, renderParams } from '../shell/render-params.ts';

/** How often the view is looked at for what no event tells of: a moved window, another screen. */
export const METRICS_POLL_MS = 3000;
/** After an event the view is looked at so often, for so long: mobile browsers settle on a size only after they have told. */
export const VIEWPORT_POLL_MS = 100;
export const VIEWPORT_POLL_SPAN_MS = 1000;
/** While somebody drags a split view's divider, sizes are told once they have stood still for so long, or this late at the latest. */
export const SPLIT_VIEW_DEBOUNCE_MS = 300;
export const SPLIT_VIEW_WINDOW_MS = 3000;
/** Widths of a mobile view that differ by no more, in CSS px, are the same: scroll bars come and go. */
export const MOBILE_WIDTH_TOLERANCE_PX = 5;

/** What tells one state of the view from another; positions change with every scroll, so they do not count. */
function keyOf({ visual_viewport: visual, ...params }: RenderParams): string {
  return JSON.stringify([params, visual?.width, visual?.height, visual?.scale]);
}

/** Whether two states differ by a jitter of a mobile view's width alone. */
function isJitter(a: RenderParams, b: RenderParams): boolean {
  const difference = Math.abs(a.view_size.width - b.view_size.width);
  if (!b.device_metrics.mobile || difference === 0 || difference > MOBILE_WIDTH_TOLERANCE_PX) return false;
  const like = (params: RenderParams): unknown => [
    params.view_size.height,
    params.device_metrics,
    params.media_features,
  ];
  return JSON.stringify(like(a)) === JSON.stringify(like(b));
}

/** Tells of parameters that differ from those known, once they have settled. Answers with its undo. */
export function watchRenderParams(
  window: Window & typeof globalThis,
  known: RenderParams,
  onChange: (params: RenderParams) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let told = known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first and the last of the events came that have not been settled, and how many did. */
  let [firstAt, lastAt, events] = [0, 0, 0];

  const look = (): void => {
    const params = renderParams(window);
    if (keyOf(params) === keyOf(told) || isJitter(told, params)) return;
    told = params;
    onChange(params);
  };
  const poll = (): void => {
    const now = Date.now();
    const isDragged = events > 1 && now - lastAt < SPLIT_VIEW_DEBOUNCE_MS && now - firstAt < SPLIT_VIEW_WINDOW_MS;
    if (!isDragged) {
      look();
      firstAt = now;
    }
    if (now - lastAt < VIEWPORT_POLL_SPAN_MS) timer = setTimeout(poll, VIEWPORT_POLL_MS);
    else events = 0;
  };
  const changed = (): void => {
    lastAt = Date.now();
    if (events === 0) firstAt = lastAt;
    events += 1;
    clearTimeout(timer);
    timer = setTimeout(poll, VIEWPORT_POLL_MS);
  };
  const watchScale = (): void => {
    if (signal.aborted) return;
    // Matches only the scale of now, so it has to be asked anew after each change.
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener(
      'change',
      () => {
        changed();
        watchScale();
      },
      { once: true, signal },
    );
  };
  watchScale();
  look(); // what has changed since it was told
  const metrics = setInterval(() => {
    if (events === 0) look();
  }, METRICS_POLL_MS);
  window.addEventListener('resize', changed, { signal });
  window.visualViewport?.addEventListener('resize', changed, { signal });
  orientationOf(window.screen)?.addEventListener('change', changed, { signal });
  for (const feature of MEDIA_FEATURES)
    window.matchMedia(`(${feature})`).addEventListener('change', changed, { signal });
  return () => {
    clearTimeout(timer);
    clearInterval(metrics);
    abort.abort();
  };
}
