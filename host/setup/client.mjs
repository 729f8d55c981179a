// Builds the client when dist was not built from the present sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, root } from './process.mjs';

const SOURCES = ['core', 'plugins', 'host', 'rollup.config.ts', 'package-lock.json'];
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

/**
 * @param {string} without @returns {string} a digest of all files that the build reads, and the plugins that it leaves
 * out, on a line of their own
 */
function stamp(without) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return `${hash.digest('hex')}\n${without}`;
}

/** @param {string} name */
function isPlugin(name) {
  return existsSync(path.join(root, 'plugins', name, 'manifest.ts'));
}

/** @returns {string} plugins that the last build left out: they stay out until the next explicit build */
function lastWithout() {
  return existsSync(STAMP) ? (readFileSync(STAMP, 'utf8').split('\n')[1] ?? '') : '';
}

/**
 * Builds everything under dist, except the plugins named in VITRINE_WITHOUT.
 *
 * @param {string} node the Node 24 to build with
 * @returns {Promise<number>} the exit code of the build
 */
export async function buildClient(node) {
  const without = (process.env.VITRINE_WITHOUT ??= lastWithout());
  const print = stamp(without);
  for (const name of without.split(',').filter((each) => each.trim() !== '' && !isPlugin(each.trim())))
    console.error(`Unknown plugin ${name.trim()}: it cannot be left out.`);
  console.error(`Building the client${without === '' ? '' : ` without ${without}`} ...`);
  const code = await run(node, ['node_modules/rollup/dist/bin/rollup', '-c', 'rollup.config.ts', '--silent']);
  if (code === 0) writeFileSync(STAMP, print);
  return code;
}

/**
 * Like {@link buildClient}, unless dist was built from the same sources.
 *
 * @param {string} node
 * @returns {Promise<number>}
 */
export async function ensureClient(node) {
  const isFresh =
    existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp(process.env.VITRINE_WITHOUT ?? lastWithout());
  return isFresh ? 0 : buildClient(node);
}
