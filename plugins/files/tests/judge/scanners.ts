import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PATIENCE_MS } from '../../../../core/testing/patience.ts';
import { testFile } from '../../host/judge/scanners/wrappings.ts';

const CLAMD = ['/usr/sbin/clamd', '/usr/local/sbin/clamd'].find((file) => existsSync(file));
const C_ICAP = ['/usr/bin/c-icap', '/usr/sbin/c-icap', '/usr/local/bin/c-icap'].find((file) => existsSync(file));
const PACKAGES = ['clamav-daemon', 'c-icap', 'libc-icap-mod-virus-scan'];

function modules(): string | undefined {
  const [found] = globSync('/usr/{lib,lib64,local/lib}/{,*/}c_icap/virus_scan.so');
  return found === undefined ? undefined : path.dirname(found);
}

/** A scanner of this machine, of the test's own. */
export interface RunningScanner {
  /** Addresses for `parseScanner`. */
  readonly addresses: readonly string[];
  /** Ends it at once, as SIGKILL does. */
  kill(): Promise<void>;
  /** Starts it again at the same addresses. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Installs the packaged scanners where that can be done.
 *
 * @returns the names of what is missing afterwards
 */
export function installScanners(): string[] {
  const missing = (): string[] => [
    ...(existsSync('/usr/sbin/clamd') || CLAMD ? [] : ['clamd']),
    ...(existsSync('/usr/bin/c-icap') || C_ICAP ? [] : ['c-icap']),
    ...(modules() === undefined ? ['the virus_scan module of c-icap'] : []),
  ];
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args: string[]): boolean =>
      spawnSync('apt-get', args, { env, stdio: 'ignore', timeout: 300_000 }).status === 0;
    const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...PACKAGES);
    // A fresh machine has no list of packages yet. What is missing in the end is in the answer.
    if (!install() && apt('update', '-q')) install();
  }
  return missing();
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isReachable(target: net.NetConnectOpts): Promise<boolean> {
  const socket = net.connect(target);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** A folder that the scanners' own users can use. */
async function openFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `vitrine-${name}-`));
  await chmod(folder, 0o777);
  return folder;
}

async function running(
  folder: string,
  command: string,
  args: readonly string[],
  target: net.NetConnectOpts,
  addresses: readonly string[],
): Promise<RunningScanner> {
  let child: ChildProcess;
  async function start(): Promise<void> {
    const output: Buffer[] = [];
    // In a group of its own: c-icap has processes of its own, which end with it.
    child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.stdout?.on('data', (data: Buffer) => output.push(data));
    child.stderr?.on('data', (data: Buffer) => output.push(data));
    const until = Date.now() + PATIENCE_MS;
    while (!(await isReachable(target))) {
      if (child.exitCode !== null || Date.now() > until) {
        const log = await readFile(path.join(folder, 'log'), 'utf8').catch(() => '');
        throw new Error(`${command} does not start: ${Buffer.concat(output).toString()} ${log}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await gone;
    while (await isReachable(target)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await start();
  return {
    addresses,
    kill,
    restart: start,
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a clamd with the limits of the Debian package and a database that knows nothing but the EICAR test file; undefined where none is installed.
 */
export async function startClamd(): Promise<RunningScanner | undefined> {
  const command = existsSync('/usr/sbin/clamd') ? '/usr/sbin/clamd' : CLAMD;
  if (command === undefined) return undefined;
  const folder = await openFolder('clamd');
  for (const name of ['db', 'tmp']) {
    await mkdir(path.join(folder, name));
    await chmod(path.join(folder, name), 0o777);
  }
  // At the beginning of a file, as the official signature has it.
  await writeFile(path.join(folder, 'db', 'eicar.ndb'), `Eicar-Test:0:0:${testFile(true).toString('hex')}\n`);
  const port = await freePort();
  const socket = path.join(folder, 'clamd.sock');
  const limits = ['MaxScanSize 100M', 'MaxFileSize 25M', 'StreamMaxLength 25M', 'MaxRecursion 16', 'MaxFiles 10000'];
  await writeFile(
    path.join(folder, 'clamd.conf'),
    [
      `LocalSocket ${socket}`,
      'LocalSocketMode 666',
      'FixStaleSocket true',
      `TCPSocket ${port}`,
      'TCPAddr 127.0.0.1',
      `DatabaseDirectory ${path.join(folder, 'db')}`,
      `TemporaryDirectory ${path.join(folder, 'tmp')}`,
      `LogFile ${path.join(folder, 'log')}`,
      'Foreground true',
      'MaxThreads 4',
      ...limits,
      '',
    ].join('\n'),
  );
  const args = ['-c', path.join(folder, 'clamd.conf')];
  return running(folder, command, args, { path: socket }, [`clamd:${socket}`, `clamd:127.0.0.1:${port}`]);
}

/** Starts a c-icap with the virus_scan service as Debian configures it, on a clamd; undefined where none is installed. */
export async function startIcap(clamd: RunningScanner): Promise<RunningScanner | undefined> {
  const command = existsSync('/usr/bin/c-icap') ? '/usr/bin/c-icap' : C_ICAP;
  const folderOfModules = modules();
  if (command === undefined || folderOfModules === undefined) return undefined;
  const folder = await openFolder('c-icap');
  const port = await freePort();
  const socket = (clamd.addresses[0] ?? '').replace('clamd:', '');
  const magic = ['/etc/c-icap/c-icap.magic', '/usr/local/etc/c-icap.magic'].find((file) => existsSync(file));
  await writeFile(
    path.join(folder, 'c-icap.conf'),
    [
      `PidFile ${path.join(folder, 'pid')}`,
      `CommandsSocket ${path.join(folder, 'ctl')}`,
      'Timeout 300',
      'MaxKeepAliveRequests 100',
      'KeepAliveTimeout 600',
      'StartServers 1',
      'MaxServers 2',
      'MinSpareThreads 2',
      'MaxSpareThreads 8',
      'ThreadsPerChild 8',
      `Port 127.0.0.1:${port}`,
      `TmpDir ${folder}`,
      'MaxMemObject 131072',
      'DebugLevel 1',
      `ModulesDir ${folderOfModules}`,
      `ServicesDir ${folderOfModules}`,
      'TemplateDir /usr/share/c_icap/templates/',
      'TemplateDefaultLanguage en',
      `LoadMagicFile ${magic ?? ''}`,
      `ServerLog ${path.join(folder, 'log')}`,
      `AccessLog ${path.join(folder, 'access')}`,
      'Module common clamd_mod.so',
      `clamd_mod.ClamdSocket ${socket}`,
      'Service antivirus_module virus_scan.so',
      'ServiceAlias avscan virus_scan?allow204=on&sizelimit=off&mode=simple',
      'virus_scan.ScanFileTypes TEXT DATA EXECUTABLE ARCHIVE GIF JPEG MSOFFICE',
      'virus_scan.SendPercentData 5',
      'virus_scan.StartSendPercentDataAfter 2M',
      'virus_scan.MaxObjectSize 5M',
      '',
    ].join('\n'),
  );
  const args = ['-N', '-f', path.join(folder, 'c-icap.conf')];
  return running(folder, command, args, { host: '127.0.0.1', port }, [
    `icap://127.0.0.1:${port}/avscan`,
    `icap://127.0.0.1:${port}/virus_scan`,
  ]);
}
