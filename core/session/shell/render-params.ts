import { MEDIA_FEATURES } from '../../protocol/pairing.ts';
import type { RenderParams } from '../../protocol/pairing.ts';

function scrollbarThickness(document: Document): number {
  const probe = document.createElement('div');
  probe.style.cssText = 'position:absolute;top:-99px;width:50px;height:50px;overflow:scroll';
  document.documentElement.append(probe);
  const thickness = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return Math.max(0, thickness);
}

/** The screen's orientation; Safari supports it since 16.4. */
export function orientationOf(screen: { readonly orientation?: ScreenOrientation }): ScreenOrientation | undefined {
  return screen.orientation;
}

/** Parameters with which the surrogate lays the page out as this browser would (S-042, R-036). */
export function renderParams(window: Window): RenderParams {
  const { screen, navigator, document } = window;
  const orientation = orientationOf(screen);
  const type = orientation?.type ?? (screen.width > screen.height ? 'landscape' : 'portrait');
  const isTouch = navigator.maxTouchPoints > 0;
  const visual = window.visualViewport;
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
    media_features: MEDIA_FEATURES.filter((feature) => window.matchMedia(`(${feature})`).matches),
    user_agent: navigator.userAgent.slice(0, 1000),
    ...(visual && {
      visual_viewport: {
        x: visual.pageLeft,
        y: visual.pageTop,
        width: visual.width,
        height: visual.height,
        scale: visual.scale,
      },
    }),
    initial_view_height: (initialHeight ??= window.innerHeight),
  };
}

/** The view's height when first read, in CSS px. */
let initialHeight: number | undefined;
