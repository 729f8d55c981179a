import { expect, it } from 'vitest';
import { Redirects } from '../page/redirects.ts';

type Listener = Parameters<ConstructorParameters<typeof Redirects>[0]['listen']>[0];

const NONE = { redirects: [], posted: 0 };

/** Redirects of a page whose session plays requests of frames. */
function start() {
  let heard: (event: object) => void = () => undefined;
  const session = { on: (_event: string, listener: typeof heard) => void (heard = listener) };
  const made = new Redirects({
    listen: (listener: Listener) => {
      listener.added({ session, kind: 'page' } as unknown as Parameters<Listener['added']>[0]);
      return () => undefined;
    },
  });
  /** Has a frame ask for addresses, each of which leads to the next: `https://a.test/ POST`, or by GET. */
  const lead = (frameId: string, ...addresses: readonly string[]): void => {
    for (const [at, each] of addresses.entries()) {
      const [url, method = 'GET'] = each.split(' ');
      const ids = { requestId: `of ${frameId}`, loaderId: `of ${frameId}`, frameId };
      const redirectResponse = { url: addresses[at - 1]?.split(' ')[0] };
      heard({ type: 'Document', ...ids, request: { url, method }, ...(at > 0 && { redirectResponse }) });
    }
  };
  return { made, lead };
}

it('all addresses that have led a frame to another one are known, once, and to that address alone', () => {
  const { made, lead } = start();
  lead('F', 'https://a.test/', 'https://b.test/', 'https://c.test/file');
  expect(made.takeTo('https://b.test/', 'F')).toEqual(NONE);
  expect(made.takeTo('https://c.test/file', 'G')).toEqual(NONE);
  expect(made.takeTo('https://c.test/file#part', 'F')).toEqual({
    redirects: ['https://a.test/', 'https://b.test/'],
    posted: 0,
  });
  expect(made.takeTo('https://c.test/file', 'F')).toEqual(NONE);
  lead('F', 'https://a.test/', 'https://c.test/file');
  lead('F', 'https://c.test/file');
  expect(made.takeTo('https://c.test/file', 'F')).toEqual(NONE);
});

it('a page with many frames that are led on makes no other forgotten, within a bound of all addresses', () => {
  const { made, lead } = start();
  lead('F', 'https://blocked.test/', 'https://c.test/file');
  for (let frame = 0; frame < 1000; frame += 1) lead(`x${frame}`, 'https://x.test/1', 'https://x.test/2');
  expect(made.takeTo('https://c.test/file', 'F')).toEqual({ redirects: ['https://blocked.test/'], posted: 0 });
  lead('F', 'https://blocked.test/', 'https://c.test/file');
  const long = (at: number): string => `https://x.test/${'x'.repeat(10_000)}${at}`;
  for (let frame = 0; frame < 100; frame += 1) lead(`x${frame}`, ...Array.from({ length: 40 }, (_, at) => long(at)));
  expect(made.takeTo('https://c.test/file', 'F')).toEqual(NONE);
});

it('the number of addresses is known up to the last one for which a form was posted', () => {
  const { made, lead } = start();
  lead('F', 'https://a.test/file POST');
  expect(made.takeTo('https://a.test/file', 'F')).toEqual({ redirects: [], posted: 1 });
  lead('F', 'https://a.test/', 'https://b.test/form POST', 'https://c.test/', 'https://d.test/file');
  expect(made.takeTo('https://d.test/file', 'F')).toMatchObject({ redirects: { length: 3 }, posted: 2 });
  lead('F', 'https://a.test/file POST');
  lead('F', 'https://a.test/file');
  expect(made.takeTo('https://a.test/file', 'F')).toEqual(NONE);
});
