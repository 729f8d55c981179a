import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RenderParams } from '../../protocol/pairing.ts';
import { renderParams } from '../shell/render-params.ts';
import { watchRenderParams } from '../tab/watch-params.ts';

/** The part of a window that has metrics. */
class View extends EventTarget {
  innerWidth = 900;
  innerHeight = 700;
  devicePixelRatio = 1;
  visualViewport = Object.assign(new EventTarget(), { pageLeft: 0, pageTop: 0, width: 900, height: 700, scale: 1 });
  isMobile = false;
  readonly screen = {
    width: 1600,
    height: 900,
    orientation: Object.assign(new EventTarget(), { type: 'landscape-primary', angle: 0 }),
  };
  readonly navigator = { maxTouchPoints: 0, userAgent: 'test' };
  readonly document = {
    createElement: () => ({ style: {}, offsetWidth: 50, clientWidth: 35, remove: () => undefined }),
    documentElement: { append: () => undefined },
  };
  readonly queries: (EventTarget & { media: string; matches: boolean })[] = [];
  matchMedia(media: string): EventTarget & { matches: boolean } {
    const query = Object.assign(new EventTarget(), { media, matches: media.includes('coarse') && this.isMobile });
    this.queries.push(query);
    return query;
  }
}

let view: View;
let received: RenderParams[];
let stop: () => void;
const window = (): Window & typeof globalThis => view as unknown as Window & typeof globalThis;
function watch(): void {
  stop = watchRenderParams(window(), renderParams(window()), (params) => void received.push(params));
}
function resize(width: number, height = view.innerHeight): void {
  view.innerWidth = width;
  view.innerHeight = height;
  view.dispatchEvent(new Event('resize'));
}
const widths = (): number[] => received.map(({ view_size }) => view_size.width);

beforeEach(() => {
  vi.useFakeTimers();
  view = new View();
  received = [];
});
afterEach(() => {
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('the metrics of the view', () => {
  it('[R-123] are polled every 3 s, for changes without an event', () => {
    watch();
    view.innerWidth = 800;
    vi.advanceTimersByTime(2999);
    expect(received).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(widths()).toEqual([800]);
    vi.advanceTimersByTime(30_000);
    expect(received).toHaveLength(1);
  });

  it('[R-123] are polled every 100 ms for up to 1 s after an event', () => {
    watch();
    resize(800);
    vi.advanceTimersByTime(100);
    expect(widths()).toEqual([800]);
    vi.advanceTimersByTime(850);
    view.innerWidth = 790; // settles late, without an event
    vi.advanceTimersByTime(50);
    expect(widths()).toEqual([800, 790]);
    vi.advanceTimersByTime(100);
    view.innerWidth = 780; // after the polling span
    vi.advanceTimersByTime(300);
    expect(widths()).toEqual([800, 790]);
  });

  it('[R-123] of a view that is dragged are sent once they are stable for 300 ms, or after 3 s', () => {
    watch();
    for (let width = 899; width > 880; width -= 1) {
      resize(width);
      vi.advanceTimersByTime(50);
    }
    expect(received).toEqual([]);
    vi.advanceTimersByTime(249);
    expect(received).toEqual([]); // 299 ms after the last one
    vi.advanceTimersByTime(1);
    expect(widths()).toEqual([881]);
    vi.advanceTimersByTime(5000);
    received = [];
    for (let width = 800; width > 400; width -= 1) {
      resize(width);
      vi.advanceTimersByTime(20);
      if (width === 652) expect(received).toEqual([]); // not for 3 s
    }
    expect(widths()).toEqual([651, 501]);
    vi.advanceTimersByTime(300);
    expect(widths()).toEqual([651, 501, 401]);
  });

  it('[R-123] of a mobile view count as the same within 5 px of width', () => {
    view.isMobile = true;
    watch();
    resize(895);
    vi.advanceTimersByTime(2000);
    expect(received).toEqual([]);
    resize(894);
    vi.advanceTimersByTime(2000);
    expect(widths()).toEqual([894]);
    resize(893, 600);
    vi.advanceTimersByTime(2000);
    expect(widths()).toEqual([894, 893]);
    view.screen.orientation.angle = 90; // a scroll bar has gone with the turn
    resize(890, 600);
    vi.advanceTimersByTime(2000);
    expect(widths()).toEqual([894, 893, 890]);
  });

  it('[R-123] are looked at once the scale of the screen is another, however often', () => {
    watch();
    for (const scale of [2, 1.5]) {
      const query = view.queries.findLast(({ media }) => media.includes('dppx'));
      view.devicePixelRatio = scale;
      query?.dispatchEvent(new Event('change'));
      vi.advanceTimersByTime(1200); // less than the interval of polls, both together
    }
    expect(received.map(({ device_metrics }) => device_metrics.device_scale_factor)).toEqual([2, 1.5]);
  });

  it('[R-123] of any other view are another with each px of width', () => {
    watch();
    resize(899);
    vi.advanceTimersByTime(2000);
    resize(895);
    vi.advanceTimersByTime(2000);
    expect(widths()).toEqual([899, 895]);
  });

  it('[R-036] are sent once the screen is turned, which may change no size', () => {
    watch();
    view.screen.orientation.angle = 180;
    view.screen.orientation.dispatchEvent(new Event('change'));
    vi.advanceTimersByTime(100);
    expect(received.map(({ device_metrics }) => device_metrics.screen_orientation_angle)).toEqual([180]);
  });

  it.each([
    [1600, 900, 'landscape'],
    [900, 1600, 'portrait'],
    [900, 900, 'portrait'],
  ])('[R-036] have the orientation of a screen of %i by %i where the browser names none', (width, height, type) => {
    stop = () => undefined;
    Reflect.set(view, 'screen', { width, height });
    expect(renderParams(window()).device_metrics).toMatchObject({
      screen_size: { width, height },
      screen_orientation_type: type,
      screen_orientation_angle: 0,
    });
  });

  it('[S-042] [R-036] are those of screen, orientation, touch, scroll bars and visible part', () => {
    watch();
    const initial = renderParams(window()).initial_view_height;
    Object.assign(view.screen.orientation, { type: 'portrait-secondary', angle: 180 });
    Object.assign(view.visualViewport, { pageLeft: 12, pageTop: 340, width: 450, height: 300, scale: 2 });
    Object.assign(view, { isMobile: true, innerWidth: 880, innerHeight: 600, devicePixelRatio: 2.5 });
    view.navigator.maxTouchPoints = 5;
    expect(renderParams(window())).toMatchObject({
      view_size: { width: 880, height: 600 },
      visual_viewport: { x: 12, y: 340, width: 450, height: 300, scale: 2 },
      initial_view_height: initial,
      device_metrics: {
        screen_size: { width: 1600, height: 900 },
        screen_orientation_type: 'portrait',
        screen_orientation_angle: 180,
        device_scale_factor: 2.5,
        scrollbar_thickness: 15,
        enable_touch_events: true,
        max_touch_points: 5,
        mobile: true,
      },
    });
    expect(initial).not.toBe(600);
  });
});
