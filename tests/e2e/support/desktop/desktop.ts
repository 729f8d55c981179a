import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright/test';
import type { BrowserContext } from 'playwright/test';
import { PERSON_FLAGS } from '../../../../core/testing/person-browser.ts';
import { startProcess } from '../../../engines/own-process.ts';

const run = promisify(execFile);
/** Limit of one call of a program that ends by itself, in ms. */
const CALL_MS = 20_000;
const SCREEN = { width: 1280, height: 900 } as const;
/** Settings of engines that begin with Latin letters otherwise. */
const SCRIPTS = `[org/freedesktop/ibus/engine/hangul]
initial-input-mode='hangul'

[org/freedesktop/ibus/engine/anthy/common]
input-mode=0
`;
/** The distribution's own programs and interpreters, before others of the machine. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

/** A screen with a window manager, of the test's own. */
export interface Desktop {
  /** Runs a program on it, and returns its output. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  /** Opens a browser with windows and a new profile; it ends with the desktop. */
  openBrowser(): Promise<BrowserContext>;
  /** Ends all that runs on it. */
  stop(): Promise<void>;
}

/** Starts a desktop, with input methods or without. The caller stops it. */
export async function startDesktop(inputMethods = false): Promise<Desktop> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-desktop-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const env = await startPrograms(folder, ends, inputMethods);
    const openBrowser = async (): Promise<BrowserContext> => {
      const context = await launch(await mkdtemp(path.join(folder, 'profile-')), env);
      ends.push(() => context.close());
      return context;
    };
    const call = async (command: string, ...args: readonly string[]): Promise<string> =>
      (await run(command, args, { env, timeout: CALL_MS })).stdout;
    return { run: call, openBrowser, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the screen and what belongs to it; returns the environment of its programs. */
async function startPrograms(
  folder: string,
  ends: (() => Promise<unknown>)[],
  inputMethods: boolean,
): Promise<NodeJS.ProcessEnv> {
  const start = async (
    env: NodeJS.ProcessEnv,
    command: string,
    args: readonly string[],
    ready?: RegExp,
  ): Promise<string> => {
    const started = await startProcess({
      command,
      args,
      env,
      packages: path.basename(command),
      ...(ready && { ready }),
    });
    ends.push(() => started.stop());
    return started.said;
  };
  // `-r`: a key that a busy machine holds for long is not repeated.
  const size = `${SCREEN.width}x${SCREEN.height}x24`;
  const screen = ['-displayfd', '1', '-screen', '0', size, '-nolisten', 'tcp', '-r'];
  const display = await start({}, '/usr/bin/Xvfb', screen, /^(\d+)\n/m);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: SYSTEM_PATH,
    LANG: 'C.UTF-8',
    DISPLAY: `:${display}`,
    HOME: folder,
    NO_AT_BRIDGE: '1',
  };
  for (const name of ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR']) {
    env[name] = path.join(folder, name.toLowerCase());
    await mkdir(env[name], { mode: 0o700 });
  }
  await start(env, '/usr/bin/openbox', ['--sm-disable']);
  await run('/usr/bin/setxkbmap', ['-rules', 'evdev', '-model', 'pc105', '-layout', 'us'], { env, timeout: CALL_MS });
  if (!inputMethods) return env;
  const settings = path.join(folder, 'xdg_config_home', 'glib-2.0', 'settings');
  await mkdir(settings, { recursive: true });
  await writeFile(path.join(settings, 'keyfile'), SCRIPTS);
  const bus = await start(env, '/usr/bin/dbus-daemon', ['--session', '--nofork', '--print-address'], /^(unix:\S+)\n/m);
  Object.assign(env, {
    DBUS_SESSION_BUS_ADDRESS: bus,
    GTK_IM_MODULE: 'ibus',
    XMODIFIERS: '@im=ibus',
    GSETTINGS_BACKEND: 'keyfile',
  });
  await start(env, '/usr/bin/ibus-daemon', [
    '--replace',
    '--xim',
    '--panel',
    'disable',
    '--config',
    '/usr/libexec/ibus-memconf',
    '--emoji-extension',
    'disable',
  ]);
  return env;
}

function launch(profile: string, env: NodeJS.ProcessEnv): Promise<BrowserContext> {
  const { VITRINE_CHROMIUM: executablePath } = process.env;
  return chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath }),
    headless: false,
    chromiumSandbox: false,
    viewport: null,
    env: env, // without variables that are not set
    args: [
      ...PERSON_FLAGS,
      '--test-type',
      '--password-store=basic',
      '--window-position=0,0',
      `--window-size=${SCREEN.width},${SCREEN.height}`,
    ],
  });
}
