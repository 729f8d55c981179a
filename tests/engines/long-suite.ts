/**
 * The product in browsers of other engines than the surrogate's. Arguments select the checks whose titles match all of
 * these expressions.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startCanary } from '../e2e/support/canary.ts';
import { serveHostilePages } from '../e2e/support/hostile-pages.ts';
import { startSite } from '../e2e/support/site.ts';
import { VIEWPORT } from '../fidelity/browser.ts';
import { readCorpus } from '../fidelity/corpus.ts';
import { startHost } from '../fidelity/host.ts';
import { serveFolder } from '../fidelity/static-server.ts';
import { Tally } from '../tally.ts';
import { known } from './differences.ts';
import type { Engine } from './engine.ts';
import { comparePage } from './fidelity.ts';
import { launchFirefox } from './firefox.ts';
import { feedHostileHalf } from './hostile-half.ts';
import { openDrawnPages, parseDrawnCss } from './hostile-renderer.ts';
import { attack, HOSTILE_PAGES, plantInView, plantOutside, TEMPLATES } from './safety.ts';
import { SMOKE } from './smoke.ts';
import { launchWebKit } from './webkit.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OUT = path.join(ROOT, '.vitrine/engines');
const CORPORA = [path.join(ROOT, 'tests/corpus'), path.join(ROOT, '../shared/corpus/feat')].filter(existsSync);
/** WebKit paints a pixel differently of frames that scroll, of which pages here have two. */
const TOLERATED_PIXELS = 2;
const ENGINES = { Firefox: launchFirefox, WebKit: launchWebKit };

const tally = new Tally();
const words = process.argv.slice(2);
const check: Tally['check'] = async (title, body) => {
  if (words.every((word) => new RegExp(word).test(title))) await tally.check(title, body);
};

async function keep(name: string, pictures: Readonly<Record<string, Buffer | undefined>>): Promise<void> {
  for (const [kind, picture] of Object.entries(pictures))
    if (picture) await writeFile(path.join(OUT, `${name.replaceAll('/', '-')}.${kind}.png`), picture);
}

async function checkEngine(name: keyof typeof ENGINES): Promise<void> {
  await using stack = new AsyncDisposableStack();
  let engine: Engine | undefined;
  await tally.check(`${name} starts`, async () => {
    engine = stack.adopt(await ENGINES[name](VIEWPORT), (e) => e.close());
    console.log(`  ${engine.version}`);
    return undefined;
  });
  if (!engine) return;
  const browser = engine;
  const site = stack.adopt(await startSite(), (s) => s.close());
  const corpora = [];
  for (const place of CORPORA) {
    const corpus = await readCorpus(place);
    corpora.push({ ...corpus, server: stack.adopt(await serveFolder(corpus.root), (s) => s.close()) });
  }
  const allow = [`127.0.0.1:${site.port}`, ...corpora.flatMap(({ server }) => server.hosts)];
  const host = stack.adopt(await startHost({ allow, log: path.join(OUT, `${name}.log`) }), (h) => h.stop());
  const stage = { engine: browser, site, product: host.origin };
  for (const [title, body] of Object.entries(SMOKE))
    await check(`${name}, use: ${title}`, async () => {
      await body(stage);
      return undefined;
    });
  const canary = stack.adopt(await startCanary(), (c) => c.close());
  serveHostilePages(site, canary);
  for (const page of HOSTILE_PAGES)
    await check(`${name}, safety: ${page} runs nothing and loads nothing`, () => attack(stage, page, canary));
  for (const template of TEMPLATES)
    await check(`${name}, safety: the policy of ${template} alone blocks all plants`, () =>
      plantInView(stage, template, canary),
    );
  await check(`${name}, safety: the plants run and load without a policy`, () => plantOutside(stage, canary));
  await check(`${name}, safety: the client builds nothing hostile from operations sent past the host`, () =>
    feedHostileHalf(browser, canary),
  );
  await check(`${name}, safety: its parser finds no address in drawn style sheets that were sanitized`, () =>
    parseDrawnCss(stage),
  );
  await check(`${name}, safety: drawn documents and resources run nothing and load nothing`, () =>
    openDrawnPages(stage, canary),
  );
  for (const corpus of corpora)
    for (const page of corpus.pages) {
      const place = `${corpus.name}${page.path}`;
      await check(`${name}, picture: ${place} looks as it does directly`, async () => {
        const { differing, direct, shown, diff } = await comparePage(
          browser,
          page,
          corpus.server.origin + page.path,
          host.origin,
        );
        if (differing <= TOLERATED_PIXELS) return undefined;
        await keep(`${name}-${place}`, { direct, shown, diff });
        return known(name, place) ? undefined : `${differing} pixels differ`;
      });
    }
}

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
for (const name of Object.keys(ENGINES)) await checkEngine(name as keyof typeof ENGINES); // its own keys
tally.finish();
