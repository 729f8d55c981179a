import { basename } from 'node:path';
import { build } from 'esbuild';
import type { Plugin, StdinOptions } from 'esbuild';
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

/** The program of a browser; VITRINE_HEADLESS_SHELL is empty where there is no shell. */
export function browserPath(kind: BrowserKind): string {
  const shell = kind === 'document' ? process.env['VITRINE_HEADLESS_SHELL'] : undefined;
  return shell || (process.env['VITRINE_CHROMIUM'] ?? '/usr/bin/chromium');
}

/** Launches a browser like the person's, with further flags. The caller closes it. */
export async function launchBrowser(flags: readonly string[] = [], kind: BrowserKind = 'document'): Promise<Browser> {
  return patient(
    await chromium.launch({
      executablePath: browserPath(kind),
      chromiumSandbox: false,
      args: [...PERSON_FLAGS, ...flags],
    }),
  );
}

/** Has waits in pages of a browser last for {@link PATIENCE_MS} instead of Playwright's 30 s. */
export function patient(browser: Browser): Browser {
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
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

const BUNDLING = {
  bundle: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.css': 'empty' },
} as const;

/** Bundles a test's entry for a browser, from a file or from its text. Imported style sheets become an empty address. */
export async function bundleScript(entry: string | StdinOptions): Promise<string> {
  const entries = typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry };
  const { outputFiles } = await build({ ...BUNDLING, ...entries });
  return outputFiles[0]?.text ?? '';
}

/** Bundles several entries at once, each into a script of its own: texts of entries by name, in a folder, and scripts by the same names. */
export async function bundleScripts(
  entries: ReadonlyMap<string, string>,
  resolveDir: string,
): Promise<ReadonlyMap<string, string>> {
  const names = [...entries.keys()];
  const texts: Plugin = {
    name: 'texts',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'entry-point' ? { path, namespace: 'texts' } : undefined,
      );
      onLoad({ filter: /./, namespace: 'texts' }, ({ path }) => ({
        contents: entries.get(path) ?? '',
        loader: 'ts',
        resolveDir,
      }));
    },
  };
  const { outputFiles } = await build({ ...BUNDLING, entryPoints: names, outdir: '/', plugins: [texts] });
  return new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]));
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
