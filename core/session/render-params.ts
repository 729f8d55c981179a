import type { RenderParams } from '../protocol/pairing.ts';

/** From the last of several changes to the message that tells of them. */
export const RENDER_PARAMS_DEBOUNCE_MS = 100;

const MEDIA = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'] as const;

function scrollbarThickness(document: Document): number {
  const probe = document.createElement('div');
  probe.style.cssText = 'position:absolute;top:-99px;width:50px;height:50px;overflow:scroll';
  document.documentElement.append(probe);
  const thickness = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return Math.max(0, thickness);
}

/** Safari has it since 16.4 only. */
function orientationOf(screen: { readonly orientation?: ScreenOrientation }): ScreenOrientation | undefined {
  return screen.orientation;
}

/** What the surrogate needs to lay the page out as this browser would (S-042, R-036). */
export function renderParams(window: Window): RenderParams {
  const { screen, navigator, document } = window;
  const orientation = orientationOf(screen);
  const type = orientation?.type ?? (screen.width > screen.height ? 'landscape' : 'portrait');
  const isTouch = navigator.maxTouchPoints > 0;
  const [dark, calm] = MEDIA.map((query) => window.matchMedia(query).matches);
  return {
    view_size: { width: window.innerWidth, height: window.innerHeight },
    device_metrics: {
      screen_size: { width: screen.width, height: screen.height },
      screen_orientation_type: type.startsWith('portrait') ? 'portrait' : 'landscape',
      screen_orientation_angle: orientation?.angle ?? 0,
      device_scale_factor: Math.min(10, Math.max(0.1, window.devicePixelRatio)),
      scrollbar_thickness: scrollbarThickness(document),
      enable_touch_events: isTouch,
      max_touch_points: isTouch ? Math.min(16, navigator.maxTouchPoints) : 2,
      mobile: window.matchMedia('(hover: none) and (pointer: coarse)').matches,
    },
    color_scheme: dark ? 'dark' : 'light',
    reduced_motion: calm ?? false,
    user_agent: navigator.userAgent.slice(0, 1000),
  };
}

/** Tells of changed parameters, once they have settled and only when they differ. Answers with its undo. */
export function watchRenderParams(
  window: Window & typeof globalThis,
  onChange: (params: RenderParams) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let last = JSON.stringify(renderParams(window));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const params = renderParams(window);
      const text = JSON.stringify(params);
      if (text === last) return;
      last = text;
      onChange(params);
    }, RENDER_PARAMS_DEBOUNCE_MS);
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
  window.addEventListener('resize', changed, { signal });
  orientationOf(window.screen)?.addEventListener('change', changed, { signal });
  for (const query of MEDIA) window.matchMedia(query).addEventListener('change', changed, { signal });
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}
