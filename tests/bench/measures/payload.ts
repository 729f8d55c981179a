import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import { CLIENT_BASE } from '../../../host/build/base.ts';
import type { ClientManifestFile } from '../../../host/build/client-manifest.ts';
import { readView } from '../../fidelity/final-state.ts';
import { VIEWPORT } from '../../fidelity/browser.ts';
import type { Row } from '../measure.ts';
import type { Stage } from '../stage.ts';

export const name = 'payload';

const CLIENT = path.resolve(import.meta.dirname, '../../../dist/client');
const SETTLE_MS = 1_500;

/** Code that a person's browser loads: brotli sizes of built files, and bytes transferred to an empty cache. */
export async function run(stage: Stage): Promise<Row[]> {
  const rrweb = brotli(await replayBundle());
  if (stage.host === undefined) return [{ name: 'to first view, brotli', unit: 'bytes', values: { rrweb } }];
  const { atReady, later, transferred } = await load(stage, stage.host);
  const rows: Row[] = [
    { name: 'to first view, brotli', unit: 'bytes', values: { vitrine: await sizeOf(atReady), rrweb } },
    { name: 'all that an article loads, brotli', unit: 'bytes', values: { vitrine: await sizeOf(later) } },
    { name: 'to first view, transferred with headers', unit: 'bytes', values: { vitrine: transferred } },
  ];
  // Written by the build of this project.
  const manifest = JSON.parse(await readFile(path.join(CLIENT, 'manifest.json'), 'utf8')) as ClientManifestFile;
  for (const [plugin, { file, css = [] }] of Object.entries(manifest.chunks)) {
    rows.push({ name: `plugin ${plugin}, brotli`, unit: 'bytes', values: { vitrine: await sizeOf([file, ...css]) } });
  }
  return rows;
}

/** Reads the compressed files, not the manifest: a host may serve an older build, whose files still exist. */
async function sizeOf(names: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...names].map(async (name) => (await stat(path.join(CLIENT, `${name}.br`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Opens an article with an empty cache: the built files requested before the shell was ready, and some time later. */
async function load({ browser, pages }: Stage, host: string) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const shell = await context.newPage();
    const session = await context.newCDPSession(shell);
    const files = new Set<string>();
    const code = new Set<string>();
    let transferred = 0;
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/c/')) return;
      code.add(requestId);
      const [, file] = pathname.split(CLIENT_BASE);
      if (file !== undefined) files.add(file);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (code.has(requestId)) transferred += encodedDataLength;
    });
    await session.send('Network.enable');
    await shell.goto(`${host}/${pages.page('corpus/article.html').url}`, { waitUntil: 'domcontentloaded' });
    for (const end = performance.now() + 20_000; ; await shell.waitForTimeout(20)) {
      const { state, final, message } = await readView(shell, true);
      if (state === 'ready' && final) break;
      if (performance.now() > end) throw new Error(`the shell is in state ${state}, its view not final: ${message}`);
    }
    const first = { atReady: new Set(files), transferred };
    await shell.waitForTimeout(SETTLE_MS);
    return { ...first, later: files };
  } finally {
    await context.close();
  }
}

function brotli(source: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return brotliCompressSync(source, { params }).byteLength;
}

/** The part of rrweb that replays, minified. Rollup removes more of the rest than esbuild does. */
async function replayBundle(): Promise<string> {
  const entry = 'replay-entry';
  const code = "import { Replayer } from 'rrweb'; window.Replayer = Replayer;";
  const build = await rollup({
    input: entry,
    plugins: [
      { name: entry, resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
      nodeResolve({ browser: true }),
    ],
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return (await transform(output[0].code, { minify: true })).code;
}
