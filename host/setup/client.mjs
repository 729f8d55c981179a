// Builds the client, when dist was not made from the sources that are here now.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, root } from './process.mjs';

const SOURCES = ['core', 'plugins', 'host/build', 'rollup.config.ts', 'package-lock.json'];
const STAMP = path.join(root, 'dist/.sources');

/** @param {string} file @returns {string[]} */
function filesOf(file) {
  const full = path.join(root, file);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [file];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.name !== 'tests' && entry.name !== 'README.md')
    .flatMap((entry) => filesOf(path.join(file, entry.name)));
}

/** @returns {string} a digest of all that the build reads */
function fingerprint() {
  const hash = createHash('sha256').update(process.env.VITRINE_WITHOUT ?? '');
  for (const file of SOURCES.flatMap(filesOf).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * Builds everything under dist.
 *
 * @param {string} node the Node 24 to build with
 * @returns {Promise<number>} the exit code of the build
 */
export async function buildClient(node) {
  const print = fingerprint();
  console.error('Building the client ...');
  const code = await run(node, ['node_modules/rollup/dist/bin/rollup', '-c', 'rollup.config.ts', '--silent']);
  if (code === 0) writeFileSync(STAMP, print);
  return code;
}

/**
 * Like {@link buildClient}, unless what stands in dist was made from the same sources.
 *
 * @param {string} node
 * @returns {Promise<number>}
 */
export async function ensureClient(node) {
  const isFresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
  return isFresh ? 0 : buildClient(node);
}
