import type { Browser } from 'playwright';
import { launchChromium, VIEWPORT } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import { liveProduct } from './live-product.ts';
import type { LiveSubject } from './live-page.ts';
import { liveRrweb, startRelay } from './live-rrweb.ts';
import { servePages } from './page-server.ts';
import type { PageServer } from './page-server.ts';

export interface StageOptions {
  readonly product: boolean;
  /** A host that runs already, instead of one of the run's own. */
  readonly host?: string | undefined;
  /** Further options for the host. */
  readonly hostOptions: readonly string[];
}

/** What measures are taken on: pages, the product's host, its peers, and the browsers that they are shown in. */
export interface Stage {
  readonly pages: PageServer;
  /** The person's browser. */
  readonly browser: Browser;
  /** The host's origin; undefined when the product is left out. */
  readonly host: string | undefined;
  /** The product first, where it takes part. */
  readonly subjects: readonly LiveSubject[];
  /** Takes figures of every subject in turn; one that cannot be measured is a fault, and the others go on. */
  each<T>(what: string, take: (subject: LiveSubject) => Promise<T>): Promise<Map<string, T>>;
  fault(what: string, error: unknown): void;
  readonly faults: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Sets the stage; disposing of it ends everything that it started. */
export async function setStage({ product, host: given, hostOptions }: StageOptions): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const pages = stack.adopt(await servePages(), (server) => server.close());
  const browser = stack.adopt(await launchChromium(), (b) => b.close());
  const recorder = stack.adopt(await launchChromium(), (b) => b.close());
  const relay = stack.adopt(await startRelay(), (r) => r.close());
  const context = (of: Browser) => of.newContext({ viewport: VIEWPORT });
  const ownHost = async (): Promise<string> => {
    const started = await startHost({ allow: pages.hosts, options: hostOptions });
    return stack.adopt(started, (h) => h.stop()).origin;
  };
  const host = product ? (given ?? (await ownHost())) : undefined;
  const subjects: LiveSubject[] = [];
  if (host !== undefined) subjects.push(liveProduct(await context(browser), host));
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
