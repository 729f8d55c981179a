import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Programs of a desktop and the Debian packages that have them. */
const DESKTOP: Readonly<Record<string, string>> = {
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/openbox': 'openbox',
  '/usr/bin/setxkbmap': 'x11-xkb-utils',
  '/usr/bin/xdotool': 'xdotool',
};
/** The same of input methods: the daemon, the module of the browser's toolkit, and one engine for each of some scripts. */
const INPUT_METHODS: Readonly<Record<string, string>> = {
  '/usr/bin/dbus-daemon': 'dbus-daemon',
  '/usr/bin/ibus-daemon': 'ibus',
  '/usr/share/doc/ibus-gtk3': 'ibus-gtk3',
  '/usr/share/ibus/component/libpinyin.xml': 'ibus-libpinyin',
  '/usr/share/ibus/component/anthy.xml': 'ibus-anthy',
  '/usr/share/ibus/component/hangul.xml': 'ibus-hangul',
  '/usr/share/ibus/component/unikey.xml': 'ibus-unikey',
};
const INSTALL_MS = 300_000;

/**
 * Installs the programs of a desktop where that can be done.
 *
 * @returns the packages that are missing afterwards, and why they could not be installed
 */
export function installDesktop(inputMethods: boolean): string[] {
  const programs = Object.entries({ ...DESKTOP, ...(inputMethods && INPUT_METHODS) });
  const missing = (): string[] => programs.flatMap(([file, name]) => (existsSync(file) ? [] : [name]));
  const wanted = missing();
  if (wanted.length === 0) return [];
  if (!existsSync('/usr/bin/apt-get')) return [...wanted, 'there is no apt-get'];
  if (process.getuid?.() !== 0) return [...wanted, 'only root can install them'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]): string => {
    const { status, stderr } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
      env,
      encoding: 'utf8',
      timeout: INSTALL_MS,
    });
    return status === 0 ? '' : stderr.trim().slice(-300) || `apt-get ${args[0]} failed`;
  };
  // A list that is older than the archive names packages that it has no more.
  const why = [apt('update', '-q'), apt('install', '-y', '--no-install-recommends', ...wanted)].join(' ').trim();
  const left = missing();
  return left.length === 0 ? [] : [...left, why];
}
