// Installs the dependencies and finds the Node that runs the host.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run, root, SetupError } from './process.mjs';

const NODE_MAJOR = 24;
const BUNDLED_NODE = path.join(root, 'node_modules/node/bin/node');

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, peer?: boolean }> }} Lock */

/** @param {string} file @returns {Lock | undefined} */
function readLock(file) {
  const full = path.join(root, file);
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')) : undefined;
}

/** Compares the versions that npm recorded in node_modules with the lockfile: not times, which a checkout changes. */
function isInstalled() {
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([where, { version, optional }]) => {
    if (where === '') return true;
    const found = present.packages[where];
    return found ? found.version === version : optional === true;
  });
}

/** Runs `npm ci` unless node_modules matches the lockfile. */
export async function ensureDependencies() {
  if (isInstalled()) return;
  // If node_modules is a link, npm would empty a folder that is not ours.
  if (lstatSync(path.join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new SetupError(
      'node_modules is a link, and its target does not match the lockfile.',
      'Remove the link to install here, or install in its target.',
    );
  }
  console.error('Installing dependencies ...');
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed (exit code ${code}).`,
      'Check that the npm registry can be reached and that npm is 10 or newer, then start again.',
    );
  }
}

/** @returns {Promise<string>} the path of a Node that is 24 or newer: this one, else the one among the dependencies */
export async function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  if (!existsSync(BUNDLED_NODE)) {
    // An install script puts the binary into the package, and a person's npm settings may forbid scripts.
    await run('npm', ['rebuild', 'node', '--ignore-scripts=false']);
  }
  if (existsSync(BUNDLED_NODE)) return BUNDLED_NODE;
  throw new SetupError(
    `Node ${NODE_MAJOR} is needed; this is ${process.version}, and the package "node" has none for this system.`,
    `Install Node ${NODE_MAJOR} and start again.`,
  );
}
