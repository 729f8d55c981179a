import { MEDIA_FEATURES } from '../../protocol/pairing.ts';
import type { RenderParams } from '../../protocol/pairing.ts';
import { orientationOf, renderParams } from '../shell/render-params.ts';

/** Interval of polls of the view, in ms, for changes without an event: a moved window, another screen. */
const METRICS_POLL_MS = 3000;
/**
 * Interval of polls of the view after an event, and their duration, in ms: mobile browsers settle on a size only after the event.
 */
const VIEWPORT_POLL_MS = 100;
const VIEWPORT_POLL_SPAN_MS = 1000;
/**
 * While a split view's divider is dragged, sizes are sent once they have been stable for this time, in ms, or after the maximum delay
 * (R-123).
 */
const SPLIT_VIEW_DEBOUNCE_MS = 300;
const SPLIT_VIEW_WINDOW_MS = 3000;
/** Width differences of a mobile view up to this, in CSS px, are ignored: scroll bars appear and disappear. */
const MOBILE_WIDTH_TOLERANCE_PX = 5;

/** Identifies a state of the view. Positions change with every scroll, so they are not included. */
function keyOf({ visual_viewport: visual, ...params }: RenderParams): string {
  return JSON.stringify([params, visual?.width, visual?.height, visual?.scale]);
}

/** Whether two states differ only by a small width change of a mobile view. */
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

/** Sends parameters that differ from the known ones, once they have settled. Returns its undo function. */
export function watchRenderParams(
  window: Window & typeof globalThis,
  known: RenderParams,
  onChange: (params: RenderParams) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let sent = known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Times of the first and the last unsettled event, and the number of unsettled events. */
  let [firstAt, lastAt, events] = [0, 0, 0];

  const look = (): void => {
    const params = renderParams(window);
    if (keyOf(params) === keyOf(sent) || isJitter(sent, params)) return;
    sent = params;
    onChange(params);
  };
  const poll = (): void => {
    timer = undefined;
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
    timer ??= setTimeout(poll, VIEWPORT_POLL_MS);
  };
  const watchScale = (): void => {
    if (signal.aborted) return;
    // Matches only the current scale, so a new query is needed after each change.
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
  look(); // detects changes since the last report
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
