import type { Report } from '../../events/report.ts';
import type { SessionInfo } from './session-info.ts';

/** How the shell is shown: by itself, or framed by a document of this origin or of another. */
export const FRAMING = { none: 0, same: 1, other: 2 } as const;

/** How the shell is framed: a value of {@link FRAMING}. */
export function framingStatus(window: Window): number {
  if (window.top === window) return FRAMING.none;
  try {
    return window.top?.location.origin === window.location.origin ? FRAMING.same : FRAMING.other;
  } catch {
    return FRAMING.other; // a document of another origin shows nothing of itself
  }
}

/** A frame no larger than this in one direction, in CSS px, shows nothing to anybody (S-140). */
const TINY_FRAME_PX = 1;

/** How this document is framed, and how large it is. */
interface Framed {
  /** A value of FRAMING. */
  readonly status: number;
  readonly width: number;
  readonly height: number;
  readonly host: string;
}

/** Whether this is a frame too small to be meant for a person (S-140). */
export function isTinyFrame({ status, width, height }: Framed): boolean {
  return status !== FRAMING.none && (width <= TINY_FRAME_PX || height <= TINY_FRAME_PX);
}

/** Whether to leave the frame for the whole window: only where that is on, the frame has no size and the host is listed (S-083). */
export function bustsFrame(
  { status, width, height, host }: Framed,
  { enabled, domains }: SessionInfo['FRAMEBUST'],
): boolean {
  return enabled && status !== FRAMING.none && width === 0 && height === 0 && domains.includes(host);
}

/**
 * Leaves a frame for the whole window where it has to, and reports a frame that is too small to be seen. True: nothing is to be started
 * in this document.
 */
export function refusesFrame(window: Window, framebust: SessionInfo['FRAMEBUST'], report: Report): boolean {
  const { innerWidth: width, innerHeight: height, location } = window;
  const framed = { status: framingStatus(window), width, height, host: location.hostname };
  if (bustsFrame(framed, framebust) && window.top) {
    window.top.location.href = location.href;
    return true;
  }
  if (!isTinyFrame(framed)) return false;
  report('tc-blocked-tiny-iframe', { width, height }, { level: 'warning' });
  return true;
}

/** The value of the site capability `framing_restriction` that allows one status of FRAMING, and no other (M-066). */
const ALLOWS_OTHER = 2;

/** Whether policy forbids to show the page in a frame such as this one; without a restriction it may be shown anywhere (M-066). */
export function isFramingForbidden(restriction: unknown, status: number): boolean {
  if (!restriction || status === FRAMING.none) return false;
  return !(restriction === ALLOWS_OTHER && status === FRAMING.other);
}
