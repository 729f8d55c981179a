import type { Report } from '../../events/report.ts';
import { FRAMING, framingStatus } from './framing.ts';
import type { SessionInfo } from './session-info.ts';

/** A frame of at most this size in one direction, in CSS px, is not visible to people (S-140). */
const TINY_FRAME_PX = 1;

/** Framing and size of this document. */
interface Framed {
  /** A value of FRAMING. */
  readonly status: number;
  readonly width: number;
  readonly height: number;
  /** Host name of the page. */
  readonly host: string;
}

/** Whether this frame is too small to be intended for people (S-140). */
export function isTinyFrame({ status, width, height }: Framed): boolean {
  return status !== FRAMING.none && (width <= TINY_FRAME_PX || height <= TINY_FRAME_PX);
}

/**
 * Whether to navigate the top window instead of the frame: only where that is enabled, the frame has no size, and the page's host is one of the
 * listed domains or below one (S-083).
 */
export function bustsFrame(
  { status, width, height, host }: Framed,
  { enabled, domains }: SessionInfo['FRAMEBUST'],
): boolean {
  const isListed = domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return enabled && status !== FRAMING.none && width === 0 && height === 0 && isListed;
}

/**
 * Navigates the top window instead of the frame where required, and reports a frame that is too small to be visible. Returns true when
 * nothing should start in this document. `page`: address of the isolated page.
 */
export function refusesFrame(
  window: Window,
  page: string,
  framebust: SessionInfo['FRAMEBUST'],
  report: Report,
): boolean {
  const { innerWidth: width, innerHeight: height, location } = window;
  const framed = { status: framingStatus(window), width, height, host: URL.parse(page)?.hostname ?? '' };
  if (bustsFrame(framed, framebust) && leadTop(window.top, location.href)) return true;
  if (!isTinyFrame(framed)) return false;
  report('tc-blocked-tiny-iframe', { width, height }, { level: 'warning' });
  return true;
}

/** Navigates the top window. False: the browser does not let a frame of another origin do that without the person. */
function leadTop(top: Window | null, address: string): boolean {
  try {
    if (top) top.location.href = address;
    return top !== null;
  } catch {
    return false;
  }
}
