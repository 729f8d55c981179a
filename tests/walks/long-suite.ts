/**
 * Does the same acts of mouse and keyboard in pages opened directly and through the product, and compares what is shown after each.
 * `npm run walks -- [DIR|LIST...] [options]`; without a folder on the pages of `tests/corpus`, five times each.
 *
 * `--steps N`: acts on each page (12); `--seed S` of the first round (1); `--rounds N`: walks on each page, with the seeds from S on;
 * `--keyboard`: keys alone; `--filter TEXT`: only pages whose path contains it; `--out DIR`: pictures of what differs and the host's log (.vitrine/walks).
 * `--ratio`, `--viewport`, `--scrollbars` and `--headed` as for `npm run fidelity`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../core/testing/random.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { readCorpus } from '../fidelity/corpus.ts';
import { startHost } from '../fidelity/host.ts';
import { readScreen } from '../fidelity/screen-options.ts';
import { serveFolder } from '../fidelity/static-server.ts';
import { Tally } from '../tally.ts';
import { walk } from './walk.ts';
import type { Walked } from './walk.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string' },
    keyboard: { type: 'boolean', default: false },
    filter: { type: 'string', default: '' },
    out: { type: 'string', default: path.resolve('.vitrine/walks') },
    ratio: { type: 'string', default: '1' },
    viewport: { type: 'string', default: '1280x800' },
    scrollbars: { type: 'boolean', default: false },
    headed: { type: 'boolean', default: false },
  },
});
const places = positionals.length > 0 ? positionals : [path.resolve(import.meta.dirname, '../corpus')];
const rounds = Number(values.rounds ?? (positionals.length > 0 ? 1 : 5));
const first = Number(values.seed);
const screen = readScreen(values);

/** Saves the pictures of a difference. Returns the reason of the failure. */
async function report({ acts, difference }: Walked, name: string): Promise<string | undefined> {
  if (!difference) return undefined;
  const { direct, through, diff } = difference;
  const pictures = { direct, through, ...(diff && { diff }) };
  for (const [kind, picture] of Object.entries(pictures))
    await writeFile(path.join(values.out, `${name.replaceAll(/\W+/g, '_')}.${kind}.png`), picture);
  return `${difference.differing} pixels differ after: ${acts.join('; ')}`;
}

await mkdir(values.out, { recursive: true });
const tally = new Tally();
for (const place of places) {
  await using stack = new AsyncDisposableStack();
  const { name, root, pages } = await readCorpus(place);
  const server = stack.adopt(await serveFolder(root), (each) => each.close());
  const log = path.join(values.out, 'host.log');
  const host = stack.adopt(await startHost({ allow: server.hosts, log }), (each) => each.stop());
  const browser = stack.adopt(await launchChromium(undefined, screen), (each) => each.close());
  for (const page of pages.filter((each) => each.path.includes(values.filter)))
    for (let seed = first; seed < first + rounds; seed++) {
      const title = `${name}${page.path} with the seed ${seed}`;
      await tally.check(`shows the same on a walk of ${title}`, async () => {
        const random = new Random(seed);
        const { signalled } = page;
        const options = { url: server.origin + page.path, signalled, steps: Number(values.steps) };
        const { keyboard } = values;
        const walked = await walk(browser, screen, host.origin, { ...options, keyboard, random: () => random.next() });
        return report(walked, title);
      });
    }
}
tally.finish();
