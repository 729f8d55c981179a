import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readScreen } from './screen-options.ts';
import { readCorpus, sample } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import { table, worst } from './report.ts';
import type { Result } from './results.ts';
import { compareCorpora, PEERS } from './run.ts';

const USAGE = `npm run fidelity -- DIR|LIST... [options]

Compares pages as the product shows them with the same pages opened directly, pixel by pixel.
DIR is a folder with list.json or list.txt, or of pages; LIST is such a list. Each is served from origins of its own.

  --out DIR         results, pictures of what differs, cache of direct pictures (.vitrine/fidelity)
  --jobs N          pages at a time (2)
  --resume          keep what a former run found, do the rest
  --limit N         N pages of each corpus, drawn by --seed S (1)
  --filter TEXT     only pages whose path contains TEXT
  --peer rrweb      show every page through rrweb too; "direct" opens it directly a second time
  --no-product      leave the product out
  --ratio N         device pixels per CSS pixel, from 0.25 to 5 (1)
  --viewport WxH    viewport in CSS pixels, each side from 1 to 8192 (1280x800)
  --scrollbars      with scrollbars, as in a window; by default there are none
  --headed          a browser with windows, on a display of that ratio: xvfb-run npm run fidelity ...
  --host URL        use a host that runs already; it must be allowed to reach 127.0.0.1
  --host-option O   an option for the host that is started, repeatable: --host-option=--policy=FILE
  --worst N         how many of the worst to list (15)
`;

function readArguments(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      out: { type: 'string', default: path.resolve('.vitrine/fidelity') },
      jobs: { type: 'string', default: '2' },
      resume: { type: 'boolean', default: false },
      limit: { type: 'string' },
      seed: { type: 'string', default: '1' },
      filter: { type: 'string', default: '' },
      peer: { type: 'string', multiple: true, default: [] },
      product: { type: 'boolean', default: true },
      ratio: { type: 'string', default: '1' },
      viewport: { type: 'string', default: '1280x800' },
      scrollbars: { type: 'boolean', default: false },
      headed: { type: 'boolean', default: false },
      host: { type: 'string' },
      'host-option': { type: 'string', multiple: true, default: [] },
      worst: { type: 'string', default: '15' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} wants a number, not "${value}".`);
  return Number(value);
}

function progress(result: Result): void {
  const { corpus, page, subject, share, reason, ms } = result;
  if (share === 0) return;
  const outcome = share === undefined ? `failed: ${reason}` : `${(100 * share).toFixed(3)} % differ`;
  console.error(`${subject} ${corpus}${page}: ${outcome} (${ms} ms)`);
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args);
  if (values.help || positionals.length === 0) {
    console.log(USAGE);
    return;
  }
  const peers = PEERS.filter((peer) => values.peer.includes(peer));
  if (peers.length < values.peer.length) throw new Error(`The peers are ${PEERS.join(', ')}.`);
  const limit = values.limit === undefined ? Infinity : wholeNumber('limit', values.limit);
  const corpora: Corpus[] = [];
  for (const place of positionals) {
    const corpus = await readCorpus(place);
    const chosen = corpus.pages.filter((page) => page.path.includes(values.filter));
    const pages = limit < chosen.length ? sample(chosen, limit, wholeNumber('seed', values.seed)) : chosen;
    corpora.push({ ...corpus, pages });
  }
  await mkdir(values.out, { recursive: true });
  const results = await compareCorpora(corpora, {
    out: values.out,
    jobs: Math.max(1, wholeNumber('jobs', values.jobs)),
    resume: values.resume,
    product: values.product,
    peers,
    screen: readScreen(values),
    host: values.host?.replace(/\/$/, ''),
    hostOptions: values['host-option'],
    onResult: progress,
  });
  console.log(`\n${table(results)}`);
  const bad = worst(results, wholeNumber('worst', values.worst));
  if (bad) console.log(`\nworst:\n${bad}`);
  console.log(`\nPictures and results.jsonl are in ${values.out}`);
}

await main(process.argv.slice(2));
