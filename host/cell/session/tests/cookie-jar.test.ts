import { expect, it } from 'vitest';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { CookieJar } from '../cookie-jar.ts';

const cookie = (name: string) => ({
  name,
  value: 'v',
  domain: 'site.test',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: true,
  session: true,
});

/** A jar, what it has on disk, and a surrogate whose answers wait until they are given. */
function made(onDisk?: readonly unknown[]) {
  const disk = { text: onDisk && JSON.stringify(onDisk) };
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const browser: { cookies: readonly unknown[] } = { cookies: [] };
  const root = {
    send: (method: string, params?: { readonly cookies: readonly unknown[] }) => {
      sent.push(method);
      const { promise, resolve } = Promise.withResolvers<object>();
      const { cookies } = browser; // as they are when they are asked for
      waiting.push(() => {
        if (params) browser.cookies = params.cookies;
        resolve({ cookies });
      });
      return promise;
    },
  } as unknown as CdpSession; // as much of it as a jar uses
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const jar = new CookieJar({
    subject: 'anna',
    kept: {
      keep: async (_subject, bytes) => void (disk.text = Buffer.from(bytes).toString()),
      find: async () => (disk.text === undefined ? undefined : Buffer.from(disk.text)),
      forget: async () => void (disk.text = undefined),
      sweep: async () => undefined,
    },
    mayKeep: () => true,
    log: { debug: say, info: () => undefined, warn: say, error: say },
  });
  /** Names of the cookies on disk. */
  const names = (): unknown => disk.text && (JSON.parse(disk.text) as { name: string }[]).map(({ name }) => name);
  /** Has the surrogate answer what it is asked next. */
  const answer = async (): Promise<void> => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  };
  return { jar, root, browser, sent, names, answer, said };
}

it('reads nothing while a new surrogate has not got its cookies: those that are kept would be lost', async () => {
  const { jar, root, sent, names, answer, said } = made([cookie('kept')]);
  const filled = jar.fill(root);
  jar.look(root);
  expect(sent).toEqual([]);
  await answer();
  await filled;
  expect(sent).toEqual(['Storage.setCookies', 'Storage.getCookies']);
  await answer();
  await jar.leave(undefined);
  expect([names(), said]).toEqual([['kept'], []]);
});

it('leaves what the surrogate has at the end, though an earlier read is under way', async () => {
  const { jar, root, browser, sent, names, answer } = made();
  jar.look(root);
  browser.cookies = [cookie('last')];
  const left = jar.leave(root);
  await answer();
  await Promise.race([left, answer()]);
  await left;
  expect(names()).toEqual(['last']);
  jar.look(root);
  expect(sent).toHaveLength(2); // it is closed
});

it('has nothing on disk once it is empty, though a read is under way', async () => {
  const { jar, root, browser, names, answer } = made([cookie('kept')]);
  browser.cookies = [cookie('late')];
  jar.look(root);
  const emptied = jar.empty();
  await answer();
  await emptied;
  expect(names()).toBeUndefined();
});
