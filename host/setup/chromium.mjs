// Finds or installs the Chromium that shows sites.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { run, root, SetupError } from './process.mjs';

/** Chromium without windows, tabs and extensions. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];
const ADVICE = 'Install Chromium, or set its path with --chromium PATH or VITRINE_CHROMIUM.';

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @param {readonly string[]} names @returns {string | undefined} */
function onPath(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const name of names) {
    const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

function installed() {
  const apps = process.platform === 'darwin' ? MAC_APPS.map((app) => path.join('/Applications', app)) : [];
  return onPath(NAMES) ?? apps.find(isProgram);
}

/**
 * Takes `--name value` or `--name=value` out of an argument list.
 *
 * @param {string[]} args changed in place
 * @param {string} name
 * @returns {string | undefined}
 */
export function takeOption(args, name) {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const given = args[at] ?? '';
  if (given !== name) {
    args.splice(at, 1);
    return given.slice(name.length + 1);
  }
  const [, value] = args.splice(at, 2);
  if (!value) throw new SetupError(`${name} needs a value.`, `Write ${name} VALUE.`);
  return value;
}

function hasApt() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath(['apt-get']) !== undefined;
}

/** @param {string} name of a package @returns {Promise<number>} the exit code */
async function aptInstall(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  console.error(`Installing ${name} with apt-get ...`);
  const updated = await run('apt-get', ['update', '-q'], { env });
  return updated === 0 ? run('apt-get', ['install', '-y', '-q', name], { env }) : updated;
}

async function installWithApt() {
  const code = await aptInstall('chromium');
  if (code !== 0) throw new SetupError(`apt-get could not install chromium (exit code ${code}).`, ADVICE);
  return installed();
}

/**
 * The headless shell, in which tests show single documents: it takes half of Chromium's processor time. Installed where apt-get can;
 * undefined: they take Chromium.
 *
 * @returns {Promise<string | undefined>} an absolute path
 */
export async function findHeadlessShell() {
  const named = process.env.VITRINE_HEADLESS_SHELL;
  if (named === '') return undefined;
  if (named !== undefined) {
    if (!isProgram(named))
      throw new SetupError(`${named} is not an executable program.`, 'Correct VITRINE_HEADLESS_SHELL.');
    return path.resolve(named);
  }
  const present = onPath(SHELLS);
  if (present !== undefined || !hasApt()) return present;
  if ((await aptInstall('chromium-headless-shell')) !== 0) console.error('Tests use Chromium instead.');
  return onPath(SHELLS);
}

/** @param {string} node */
async function installWithPlaywright(node) {
  console.error('Installing Chromium with Playwright ...');
  const code = await run(node, ['node_modules/playwright/cli.js', 'install', 'chromium']);
  if (code !== 0) throw new SetupError(`Playwright could not install Chromium (exit code ${code}).`, ADVICE);
  return playwrightChromium(node);
}

/** @param {string} node @returns {string | undefined} */
function playwrightChromium(node) {
  const script = "import('playwright').then((p) => console.log(p.chromium.executablePath()))";
  const found = spawnSync(node, ['-e', script], { cwd: root, encoding: 'utf8' }).stdout.trim();
  return isProgram(found) ? found : undefined;
}

/**
 * @param {string | undefined} asked the path given on the command line
 * @param {string} node the Node that runs Playwright's installer
 * @returns {Promise<string>} an absolute path
 */
export async function findChromium(asked, node) {
  const named = asked ?? process.env.VITRINE_CHROMIUM;
  if (named) {
    const file = path.resolve(named);
    if (!isProgram(file)) throw new SetupError(`${named} is not an executable program.`, ADVICE);
    return file;
  }
  const present = installed() ?? playwrightChromium(node);
  if (present) return present;
  const added = hasApt() ? await installWithApt() : await installWithPlaywright(node);
  if (!added) throw new SetupError('Chromium was not found and could not be installed.', ADVICE);
  return added;
}
