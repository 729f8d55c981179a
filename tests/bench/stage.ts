import type { Browser } from 'playwright';
import { Shaper } from '../faults/shaper.ts';
import { launchChromium, VIEWPORT } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { liveProduct } from './live-product.ts';
import type { LiveSubject } from './live-page.ts';
import { liveRrweb, startRelay } from './live-rrweb.ts';
import { servePages } from './page-server.ts';
import type { PageServer } from './page-server.ts';

interface StageOptions {
  readonly product: boolean;
  /** A running host, instead of one of the run's own. */
  readonly host?: string | undefined;
  /** Further options of the host. */
  readonly hostOptions: readonly string[];
}

/** The environment of measures: pages, the product's host, its peers, and the browsers that they are shown in. */
export interface Stage {
  readonly pages: PageServer;
  /** The person's browser. */
  readonly browser: Browser;
  /** The host's origin; undefined when the product is left out. */
  readonly host: string | undefined;
  /** The host's process, where it is the run's own. */
  readonly hostPid: number | undefined;
  /**
   * The network between the person and the host; undefined where the host is not on this machine. Restore its settings.
   */
  readonly link: Shaper | undefined;
  /** The network between the pages and their users, by its origin. Restore its settings. */
  readonly far: Shaper;
  /** The product first, where it takes part. */
  readonly subjects: readonly LiveSubject[];
  /** Takes figures of every subject in turn; one that cannot be measured is a fault, and the others continue. */
  each<T>(what: string, take: (subject: LiveSubject) => Promise<T>): Promise<Map<string, T>>;
  fault(what: string, error: unknown): void;
  readonly faults: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the environment; disposing of it ends everything that it started. */
export async function setStage({ product, host: given, hostOptions }: StageOptions): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const pages = stack.adopt(await servePages(), (server) => server.close());
  const browser = stack.adopt(await launchChromium(), (b) => b.close());
  const recorder = stack.adopt(await launchChromium(), (b) => b.close());
  const relay = stack.adopt(await startRelay(), (r) => r.close());
  const context = (of: Browser) => of.newContext({ viewport: VIEWPORT });
  const far = stack.adopt(await Shaper.start(pages.port), (shaper) => shaper.close());
  const ownHost = async (): Promise<RunningHost> => {
    const allow = [...pages.hosts, new URL(far.origin).host];
    return stack.adopt(await startHost({ allow, options: ['--warm-cells', '1', ...hostOptions] }), (h) => h.stop());
  };
  const own = product && given === undefined ? await ownHost() : undefined;
  const host = product ? (given ?? own?.origin) : undefined;
  const { protocol, hostname, port } = new URL(host ?? 'about:blank');
  const isHere = protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname);
  const link = isHere ? stack.adopt(await Shaper.start(Number(port)), (shaper) => shaper.close()) : undefined;
  const subjects: LiveSubject[] = [];
  if (host !== undefined) subjects.push(liveProduct(await context(browser), host, link));
  subjects.push(await liveRrweb(await context(recorder), await context(browser), relay));

  const faults: string[] = [];
  const fault = (what: string, error: unknown): void => {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const owned = stack.move();
  return {
    pages,
    browser,
    host,
    hostPid: own?.pid,
    link,
    far,
    subjects,
    faults,
    fault,
    each: async (what, take) => {
      const taken = new Map<string, Awaited<ReturnType<typeof take>>>();
      for (const subject of subjects) {
        try {
          taken.set(subject.name, await take(subject));
        } catch (error) {
          fault(`${what}, ${subject.name}`, error);
        }
      }
      return taken;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
