import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Screen } from './browser.ts';

/** Interval of two equal shots that make a picture stable, in milliseconds. */
const APART_MS = 150;

/** Takes pictures of a page's viewport as PNG, of all device pixels, without touching the page. */
export class Camera {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async on(page: Page, { viewport, ratio }: Screen): Promise<Camera> {
    const session = await page.context().newCDPSession(page);
    const { width, height } = viewport;
    // The same metrics as those of the page's context: a session that has set none takes one pixel for each CSS pixel.
    const metrics = {
      width,
      height,
      screenWidth: width,
      screenHeight: height,
      deviceScaleFactor: ratio,
      mobile: false,
    };
    if (ratio !== 1) await session.send('Emulation.setDeviceMetricsOverride', metrics);
    return new Camera(session);
  }

  async shoot(): Promise<Buffer> {
    const { data } = await this.#session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
    return Buffer.from(data, 'base64');
  }

  settle(bound: number): Promise<Settled> {
    return settle(() => this.shoot(), bound);
  }
}

interface Settled {
  readonly picture: Buffer;
  readonly stable: boolean;
}

/** The first picture that equals the one before it, or the last one when `bound` milliseconds have passed. */
export async function settle(shoot: () => Promise<Buffer>, bound: number): Promise<Settled> {
  const end = performance.now() + bound;
  let picture = await shoot();
  for (;;) {
    await delay(APART_MS);
    const next = await shoot();
    if (next.equals(picture)) return { picture, stable: true };
    picture = next;
    if (performance.now() > end) return { picture, stable: false };
  }
}

export interface Comparison {
  /** Pixels that differ by pixelmatch with threshold 0.1, antialiased ones included. */
  readonly differing: number;
  /** `differing` over all pixels, 0 to 1. */
  readonly share: number;
  /** The difference as PNG; undefined when there is none. */
  readonly diff: Buffer | undefined;
}

/** Compares two PNGs. Pictures of different sizes differ in every pixel. */
export function compare(expected: Buffer, actual: Buffer): Comparison {
  if (expected.equals(actual)) return { differing: 0, share: 0, diff: undefined };
  const [a, b] = [PNG.sync.read(expected), PNG.sync.read(actual)];
  if (a.width !== b.width || a.height !== b.height) return { differing: a.width * a.height, share: 1, diff: undefined };
  const diff = new PNG({ width: a.width, height: a.height });
  const differing = pixelmatch(a.data, b.data, diff.data, a.width, a.height, { threshold: 0.1, includeAA: true });
  const share = differing / (a.width * a.height);
  return { differing, share, diff: differing === 0 ? undefined : PNG.sync.write(diff) };
}
