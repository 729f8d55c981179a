import { build } from 'esbuild';
import type { StdinOptions } from 'esbuild';
import { chromium } from 'playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { PERSON_FLAGS } from './person-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/** The part of a browser that tests use. */
export type TestBrowser = Pick<Browser, 'newPage' | 'newContext' | 'close'>;

/** The browsers of this process, which its test files share. */
const shared = new Map<BrowserKind, Promise<Browser>>();

/**
 * Browser of a test: `document` is the headless shell if there is one, as Chromium takes twice the processor time; `whole` is Chromium, for
 * what the shell does not have, such as filling in fields.
 */
export type BrowserKind = 'document' | 'whole';

/** Launches a browser like the person's, with further flags. The caller closes it. */
export function launchBrowser(flags: readonly string[] = [], kind: BrowserKind = 'document'): Promise<Browser> {
  const shell = kind === 'document' ? process.env['VITRINE_HEADLESS_SHELL'] : undefined;
  const executablePath = shell || (process.env['VITRINE_CHROMIUM'] ?? '/usr/bin/chromium');
  return chromium.launch({ executablePath, chromiumSandbox: false, args: [...PERSON_FLAGS, ...flags] });
}

/**
 * Returns contexts and pages in a browser like the person's, launched once per process: `close` closes those that were opened with it. The
 * browser ends with the process.
 */
export async function openBrowser(kind: BrowserKind = 'document'): Promise<TestBrowser> {
  let opening = shared.get(kind);
  if (!(await opening)?.isConnected()) {
    opening = launchBrowser([], kind);
    shared.set(kind, opening);
  }
  const browser = await opening!; // there is one now
  const contexts: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => {
      const context = await newContext(options);
      const page = await context.newPage();
      page.once('close', () => void context.close());
      return page;
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

/** Bundles a test's entry for a browser, from a file or from its text. Imported style sheets become an empty address. */
export async function bundleScript(entry: string | StdinOptions): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry }),
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty' },
  });
  return outputFiles[0]?.text ?? '';
}

/** Opens a page without network at the address of a shell, and runs a bundled script in it. */
export async function openScript(
  browser: TestBrowser,
  script: string,
  body = '<!doctype html><title>Test</title><p>text',
): Promise<Page> {
  const page = await browser.newPage();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto('http://shell.test/https://site.test/');
  await page.evaluate(script);
  return page;
}
