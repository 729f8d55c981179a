import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { startCanary } from '../../e2e/support/canary.ts';
import type { Canary } from '../../e2e/support/canary.ts';
import { watchPerson } from '../../e2e/support/person-watch.ts';
import type { PersonWatch } from '../../e2e/support/person-watch.ts';
import { descendants } from '../../e2e/support/processes.ts';
import { startSite } from '../../e2e/support/site.ts';
import type { Site } from '../../e2e/support/site.ts';
import { launchChromium } from '../../fidelity/browser.ts';
import { startHost } from '../../fidelity/host.ts';
import type { RunningHost } from '../../fidelity/host.ts';
import { CdpTap } from './tapped-browser.ts';
import type { TappedBrowser } from './tapped-browser.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

/** Time in which another person's key press must have come through the whole product, and the host answered, in ms. */
const ECHO_MS = PATIENCE_MS;
const HEALTH_MS = PATIENCE_MS / 3;
/** Time for a page of the attacked person's to be shown, in ms. */
const SHOWN_MS = PATIENCE_MS;
/** Largest resident memory that a cell may have had: the heap that it may have, and half as much for buffers, in bytes. */
const MAX_CELL_BYTES = 1536 * 1024 * 1024;
const OWN_WINDOW = 'a window at about:blank';
const PING = `<!doctype html><title>quiet</title><input aria-label="text" oninput="document.querySelector('output').textContent = this.value"><output></output>`;

/** A host whose surrogates are tapped, a person who is attacked by a page, and another one who must not notice. */
class HostileStage {
  readonly site: Site;
  readonly canary: Canary;
  readonly host: RunningHost;
  readonly tap: CdpTap;
  /** Of the attacked person. */
  readonly context: BrowserContext;
  readonly watch: PersonWatch;
  /** Errors that the attacked person's shell has thrown. */
  readonly errors: string[] = [];
  readonly #log: string;
  readonly #other: Page;
  readonly #end: () => Promise<void>;
  #typed = 0;
  #opened = 0;

  private constructor(
    parts: Pick<HostileStage, 'site' | 'canary' | 'host' | 'tap' | 'context'>,
    other: Page,
    log: string,
    end: () => Promise<void>,
  ) {
    ({ site: this.site, canary: this.canary, host: this.host, tap: this.tap, context: this.context } = parts);
    this.#other = other;
    this.#log = log;
    this.#end = end;
    this.watch = watchPerson(this.context, this.host.origin);
    this.context.on('weberror', (error) => this.errors.push(error.error().message));
  }

  static async start(): Promise<HostileStage> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.adopt(await mkdtemp(path.join(os.tmpdir(), 'vitrine-hostile-')), (f) =>
      rm(f, { recursive: true }),
    );
    const site = stack.adopt(await startSite(), (s) => s.close());
    const canary = stack.adopt(await startCanary(), (c) => c.close());
    const tap = stack.adopt(await CdpTap.start(), (t) => t.close());
    const log = path.join(folder, 'host.log');
    const options = ['--chromium', tap.executable, '--max-cells', '6'];
    const host = stack.adopt(await startHost({ allow: [`127.0.0.1:${site.port}`], options, log }), (h) => h.stop());
    const browser: Browser = stack.adopt(await launchChromium(), (b) => b.close());
    site.on('/quiet', PING);
    const other = await browser.newPage();
    await open(other, `${host.origin}/${site.origin}/quiet`);
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
    // A tab that stays, with its cell, when the attacked one is closed.
    await open(await context.newPage(), `${host.origin}/${site.origin}/quiet`);
    const owned = stack.move();
    return new HostileStage({ site, canary, host, tap, context }, other, log, () => owned.disposeAsync());
  }

  /** Opens a page of the site in a tab of its own, as the attacked person, and waits until it is shown. */
  async open(at: string): Promise<Page> {
    const page = await this.context.newPage();
    this.#opened += 1;
    await open(page, `${this.host.origin}/${this.site.origin}${at}`);
    return page;
  }

  /** The surrogate that shows an address of the site, and the session of its page. */
  async tapped(at: string): Promise<{ readonly browser: TappedBrowser; readonly session: string }> {
    return until(`a tapped page at ${at}`, () => {
      for (const browser of this.tap.browsers) {
        const session = browser.isOpen ? browser.pageAt(at)?.sessionId : undefined;
        if (session !== undefined) return { browser, session };
      }
      return undefined;
    });
  }

  /** Process ids of the cells. */
  cells(): number[] {
    return descendants(this.host.pid).flatMap(({ pid, command }) => (command.includes('cell.mjs') ? [pid] : []));
  }

  /** Asserts what must hold whatever a renderer does: the host answers, others can work, memory is bounded, nothing has had an effect. */
  async expectNoEffect(): Promise<void> {
    const health = await fetch(`${this.host.origin}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) });
    expect(health.status).toBe(200);
    await this.#expectEcho();
    for (const pid of this.cells()) expect(peakOf(pid), `memory of cell ${pid}`).toBeLessThan(MAX_CELL_BYTES);
    expect(this.canary.visits).toEqual([]);
    // The windows that this has opened itself are no finding.
    const found = await this.watch.findings();
    for (let own = 0; own < this.#opened; own++) {
      const at = found.indexOf(OWN_WINDOW);
      if (at >= 0) found.splice(at, 1);
    }
    expect(found).toEqual([]);
    expect(this.errors).toEqual([]);
  }

  /** Lines of the host's log that match. */
  async logged(pattern: RegExp): Promise<string[]> {
    return (await readFile(this.#log, 'utf8')).split('\n').filter((line) => pattern.test(line));
  }

  /** Types into the other person's page and waits until the page has answered. */
  async #expectEcho(): Promise<void> {
    const text = `t${++this.#typed} `;
    const view = this.#other.frameLocator('iframe[data-vitrine-frame="main"]');
    await view.getByLabel('text').click({ timeout: ECHO_MS });
    await this.#other.keyboard.press('Control+a');
    await this.#other.keyboard.type(text);
    await view.locator('output').filter({ hasText: text.trim() }).waitFor({ timeout: ECHO_MS });
  }

  close(): Promise<void> {
    return this.#end();
  }
}

/** A stage for the tests of a file. */
export function useHostileStage(): () => HostileStage {
  let stage: HostileStage | undefined;
  beforeAll(async () => {
    stage = await HostileStage.start();
  });
  afterAll(() => stage?.close());
  return () => {
    if (!stage) throw new Error('the stage is ready within tests only');
    return stage;
  };
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached', timeout: SHOWN_MS });
}

/** Resolves with what `look` finds. */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  ms = PATIENCE_MS,
): Promise<T> {
  for (const end = performance.now() + ms; ; await delay(20)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`never came: ${what}`);
  }
}

/** Largest resident memory that a process has had, in bytes; 0 where the system does not tell, or it has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
