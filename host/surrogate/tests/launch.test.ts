import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { surrogateFlags } from '../flags.ts';
import { surrogateFolders } from '../folders.ts';
import { launchChromium } from '../launch.ts';
import { runAs } from '../unprivileged.ts';
import {
  CHROMIUM,
  dataFolder,
  evaluate,
  launch,
  removeFolder,
  silent,
  writeExtension,
  type Launched,
} from './fixture.ts';

const user = runAs();
const isRoot = user !== undefined;

/** Process ids of the group, without zombies. */
function group(pgid: number): number[] {
  const fields = (pid: string): string[] => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return text.slice(text.lastIndexOf(')') + 2).split(' ');
    } catch {
      return [];
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => Number(fields(pid)[2]) === pgid && fields(pid)[0] !== 'Z').map(Number);
}

/** Command line of a process; undefined for one that has ended meanwhile. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Files and folders of the host for surrogates. */
function leftovers(dataDir: string): string[] {
  const { profiles, records } = surrogateFolders(dataDir, user);
  return [...readdirSync(profiles), ...readdirSync(records)];
}

describe('a launched surrogate', () => {
  let dataDir: string;
  let launched: Launched;
  beforeAll(async () => {
    dataDir = await dataFolder();
    process.env['VITRINE_TEST_SECRET'] = 'secret';
    launched = await launch({ dataDir, extensionDir: await writeExtension(path.join(dataDir, 'source')) });
    delete process.env['VITRINE_TEST_SECRET'];
  });
  afterAll(() => launched.close());

  it('runs with its sandbox on', async () => {
    const { connection, pid } = launched.surrogate;
    const page = await launched.open('chrome://sandbox');
    await expect.poll(() => evaluate(page, 'document.body.innerText')).toContain('You are adequately sandboxed.');
    const commands = group(pid).flatMap((member) => commandOf(member) ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).not.toContain('--no-sandbox');
    await connection.root.send('Target.closeTarget', { targetId: page.targetInfo?.targetId ?? '' });
  });

  it('runs without privileges and without the environment of a host that is root', () => {
    const { pid, profileDir } = launched.surrogate;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (isRoot) {
      expect(user.uid).toBe(Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })));
      expect(status).toMatch(new RegExp(`^Uid:\\s+${user.uid}\\s+${user.uid}\\s+${user.uid}\\s+${user.uid}$`, 'm'));
      expect(status).toMatch(/^Groups:\s*$/m);
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    }
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain(`HOME=${profileDir}`);
    expect(environment.join()).not.toContain('secret');
    // Standard input and the two ends of the pipe, no file or socket of the host.
    expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe('/dev/null');
  });

  it('shows the page half in a world that pages cannot see, without a request to any site', async () => {
    const page = await launched.open();
    const worlds = new Map<string, number>();
    page.on('Runtime.executionContextCreated', ({ context }) => worlds.set(context.name, context.id));
    await page.send('Runtime.enable');
    page.on('Fetch.requestPaused', ({ requestId }) => {
      void page.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        body: Buffer.from('<p>').toString('base64'),
      });
    });
    await page.send('Fetch.enable');
    await page.send('Page.navigate', { url: 'http://page.invalid/' });
    await expect.poll(() => worlds.get('vitrine')).toBeDefined();
    const contextId = worlds.get('vitrine') ?? 0;
    const { result } = await page.send('Runtime.evaluate', { expression: 'isPageHalf', contextId });
    expect(result.value).toBe(true);
    expect(await evaluate(page, 'typeof isPageHalf + navigator.webdriver')).toBe('undefinedfalse');
    expect(launched.surrogate.launchMs).toBeGreaterThan(0);
  });

  it('has the user agent of a browser with a window', async () => {
    const { userAgent } = launched.surrogate;
    expect(userAgent.userAgent).toMatch(/ Chrome\/\d+\.0\.0\.0 Safari/);
    const page = await launched.open('chrome://version');
    await expect.poll(() => evaluate(page, 'location.href')).toMatch(/^chrome:\/\/version/);
    const own = await evaluate<object>(
      page,
      'navigator.userAgentData.getHighEntropyValues(["fullVersionList", "bitness", "architecture"])',
    );
    const { brands, fullVersionList, bitness, architecture } = userAgent.userAgentMetadata;
    expect(own).toMatchObject({ brands, fullVersionList, bitness, architecture });
  });

  it('keeps its session cookies when its last window is closed', async () => {
    const { root } = launched.surrogate.connection;
    await root.send('Storage.setCookies', { cookies: [{ name: 'session', value: '1', url: 'http://page.invalid/' }] });
    const pages = async () => (await root.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'page');
    await launched.open();
    for (const { targetId } of await pages()) await root.send('Target.closeTarget', { targetId });
    await expect.poll(pages).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 500)); // Chromium would remove them soon after the window
    expect((await root.send('Storage.getCookies')).cookies).toMatchObject([{ name: 'session', session: true }]);
  });

  it('leaves nothing behind when closed', async () => {
    const { surrogate } = launched;
    expect(leftovers(dataDir)).toHaveLength(2);
    expect(group(surrogate.pid).length).toBeGreaterThan(3);
    await Promise.all([surrogate.close(), surrogate.close()]);
    await expect.poll(() => group(surrogate.pid)).toEqual([]);
    expect(leftovers(dataDir)).toEqual([]);
    expect([
      { code: 0, signal: null },
      { code: null, signal: 'SIGKILL' }, // it took longer than `close` waits
    ]).toContainEqual(await surrogate.exited);
  });
});

describe('a surrogate that dies', () => {
  it('ends its processes, and removes its own profile at close, but not a given one, which can be reused', async () => {
    const dataDir = await dataFolder();
    const { profiles } = surrogateFolders(dataDir, user);
    const profileDir = path.join(profiles, 'kept');
    const { surrogate, close } = await launch({ dataDir, profileDir });
    await expect.poll(() => readdirSync(profileDir)).toContain('Local State');
    process.kill(surrogate.pid, 'SIGKILL');
    expect(await surrogate.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await expect.poll(() => group(surrogate.pid)).toEqual([]);
    await surrogate.close();
    expect(leftovers(dataDir)).toEqual(['kept']);
    expect(readdirSync(profileDir)).toContain('Local State');
    const again = await launch({ dataDir, profileDir });
    expect(again.surrogate.pid).not.toBe(surrogate.pid);
    await again.close();
    await close();
  });
});

describe('a surrogate that lost its connection', () => {
  it('exits', async () => {
    const { surrogate, close } = await launch();
    surrogate.connection.close();
    expect((await surrogate.exited).code).not.toBeUndefined();
    await close();
  });
});

describe('an invalid launch', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await dataFolder();
  });
  afterAll(() => removeFolder(dataDir));

  it('refuses flags that weaken the sandbox', () => {
    const flags = (extra: string): string[] => surrogateFlags({ profileDir: '/p', proxyPort: 1, extraArgs: [extra] });
    expect(() => flags('--no-sandbox')).toThrow(expect.objectContaining({ code: 'surrogate-launch-failed' }));
    expect(() => flags('--disable-seccomp-filter-sandbox=1')).toThrow(
      expect.objectContaining({ code: 'surrogate-launch-failed' }),
    );
    expect(flags('--disable-features=One').filter((flag) => flag.startsWith('--disable-features='))).toHaveLength(1);
  });

  it('refuses a Chromium whose wrapper turns the sandbox off, and leaves nothing behind', async () => {
    const executable = path.join(dataDir, 'wrapper');
    await writeFile(executable, `#!/bin/sh\nexec ${CHROMIUM} --no-sandbox "$@"\n`, { mode: 0o755 });
    const options = { executable, dataDir, proxyPort: 9, log: silent };
    await expect(launchChromium(options)).rejects.toMatchObject({
      code: 'surrogate-launch-failed',
      data: { flag: '--no-sandbox' },
    });
    expect(leftovers(dataDir)).toEqual([]);
  });

  it('reports the output of a program that is not Chromium', async () => {
    const executable = path.join(dataDir, 'broken');
    await writeFile(executable, '#!/bin/sh\necho "no usable sandbox" >&2; exit 1\n', { mode: 0o755 });
    const options = { executable, dataDir, proxyPort: 9, log: silent };
    const failure = { code: 'surrogate-launch-failed', data: { stderr: 'no usable sandbox' } };
    await expect(launchChromium(options)).rejects.toMatchObject(failure);
    expect(leftovers(dataDir)).toEqual([]);
  });

  it('refuses a Chromium that its user cannot read', async () => {
    const folder = path.join(dataDir, 'closed');
    await mkdir(folder, { mode: 0o700 });
    const executable = path.join(folder, 'chromium');
    // Without root the surrogate's user is the host's own, which can search the folder.
    await writeFile(executable, '', { mode: isRoot ? 0o755 : 0o311 });
    const options = { executable, dataDir, proxyPort: 9, log: silent };
    await expect(launchChromium(options)).rejects.toMatchObject({
      code: 'surrogate-launch-failed',
      message: expect.stringContaining('cannot read') as string,
    });
  });

  it('keeps profiles elsewhere when its user cannot read the data folder, only there', async () => {
    const closed = path.join(dataDir, 'root-only');
    await mkdir(closed, { mode: 0o700 });
    const folders = surrogateFolders(closed, user);
    expect(folders.records.startsWith(closed)).toBe(true);
    // Without root surrogates have the host's user, which can read it.
    expect(folders.profiles.startsWith(closed)).toBe(!isRoot);
    if (isRoot) await removeFolder(path.dirname(folders.profiles));
  });

  it('refuses a folder for profiles that others may write to, or that another user has created', async () => {
    const closed = path.join(dataDir, 'shared');
    await mkdir(closed, { mode: 0o700 });
    // A user that cannot read the data folder, with root and without.
    const other = { uid: 4_000_000, gid: 4_000_000 };
    const shared = path.dirname(surrogateFolders(closed, other).profiles);
    expect(shared.startsWith(closed)).toBe(false);
    const refused = expect.objectContaining({ code: 'surrogate-launch-failed' }) as Error;
    await chmod(shared, 0o777);
    expect(() => surrogateFolders(closed, other)).toThrow(refused);
    await removeFolder(shared);
    if (isRoot) {
      await mkdir(shared, { mode: 0o711 });
      await chown(shared, other.uid, other.gid);
    } else await symlink('/', shared); // root's folder
    expect(() => surrogateFolders(closed, other)).toThrow(refused);
    await removeFolder(shared);
  });
});
