import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import type { BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OP } from '../ops.ts';
import { bundlePage } from '../../../core/testing/page-bundle.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { MirrorTree } from './tree.ts';

const EXTENSION = {
  manifest_version: 3,
  name: 'vitrine',
  version: '1.0.0',
  content_scripts: [{ matches: ['<all_urls>'], js: ['page.js'], run_at: 'document_start', world: 'ISOLATED' }],
};

let folder: string;
let context: BrowserContext;
let page: Page;
let cdp: CDPSession;
let tree: MirrorTree;
let defined: string[];

/** The page half in its real place: the world of a content script, with packets sent through a binding. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-page-'));
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(EXTENSION));
  await writeFile(path.join(folder, 'page.js'), await bundlePage('mirror'));
  context = await chromium.launchPersistentContext('', {
    executablePath: process.env.VITRINE_CHROMIUM ?? '/usr/bin/chromium',
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      `--load-extension=${folder}`,
      '--disable-features=DisableLoadExtensionCommandLineSwitch,WebUIOmniboxAimPopup,WebUIOmniboxPopup',
    ],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  cdp = await context.newCDPSession(page);
  cdp.on('Runtime.bindingCalled', ({ payload }) => {
    const [name, params] = JSON.parse(payload) as [string, { epoch: number; ops: number[][]; strings: string[] }];
    if (name === 'page.log') throw new Error(payload);
    if (name !== 'mirror.page-batch') return;
    if (tree.epoch === 0 && params.ops[0]?.[0] !== OP.doc) return; // from the previous page
    tree.apply(params);
    for (const op of params.ops) if (op[0] === OP.define) defined.push(params.strings[op[2]!]!);
  });
  await cdp.send('Runtime.addBinding', { name: 'vitrineSend', executionContextName: 'vitrine' });
  await cdp.send('Runtime.enable');
});
afterAll(async () => {
  await context.close();
  await rm(folder, { recursive: true });
});

async function open(body: string, headers: Record<string, string> = {}): Promise<void> {
  tree = new MirrorTree();
  defined = [];
  await page.unrouteAll();
  await page.route('**/*', (route) =>
    route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body, headers })
      : route.fulfill({ status: 404 }),
  );
  await page.goto('http://page.test/');
}

const names = (): string[] => [...tree.nodes.values()].map(({ name }) => name);

describe('in the world of an extension', () => {
  it('closed shadow roots are seen, with their adopted sheets, also late ones', async () => {
    await open(`<!doctype html><div id=empty></div><div id=full>content</div><x-y></x-y><div id=late></div><script>
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('em { color: red }');
      const attach = (host, tag) => {
        const root = host.attachShadow({ mode: 'closed' });
        root.innerHTML = '<' + tag + '></' + tag + '>';
        root.adoptedStyleSheets = [sheet];
        return root;
      };
      attach(empty, 'em');
      attach(full, 'i');
      customElements.define('x-y', class extends HTMLElement { constructor() { super(); attach(this, 'u'); } });
      setTimeout(() => { const root = attach(late, 'b'); setTimeout(() => root.append(document.createElement('s')), 300); }, 300);
    </script>`);
    await expect.poll(names).toEqual(expect.arrayContaining(['em', 'i', 'u', 'b', 's']));
    expect(defined).toEqual(['em { color: red; }\n']);
  });

  it('noscript elements have content where scripts do not run, and only there', async () => {
    const body = '<!doctype html><div><noscript><b>no scripts</b></noscript></div><script></script>';
    await open(body, { 'content-security-policy': 'sandbox' });
    await expect.poll(names).toEqual(expect.arrayContaining(['v-noscript', 'b']));
    for (const policy of ['sandbox allow-scripts', 'script-src *']) {
      await open(body, { 'content-security-policy': policy });
      await expect.poll(names).toContain('noscript');
      expect(names()).not.toContain('b');
    }
  });

  it('the page sees nothing of it', async () => {
    const own = `JSON.stringify([
      Object.getOwnPropertyNames(window).filter((name) => /vitrine|chrome/i.test(name)).sort(),
      document.documentElement.outerHTML,
      [Element, Node, EventTarget, Document, ShadowRoot].map(({ prototype }) =>
        Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { value, get }]) =>
          [value, get].some((it) => typeof it === 'function' && !/native code|^class/.test(it.toString()))).length),
    ])`;
    await open('<!doctype html><p>x</p>');
    const seen = JSON.parse(await page.evaluate(own)) as [string[], string, number[]];
    expect(seen[0]).toEqual(['chrome']);
    expect(seen[1]).toBe('<html><head></head><body><p>x</p></body></html>');
    expect(seen[2]).toEqual([0, 0, 0, 0, 0]);
  });
});
