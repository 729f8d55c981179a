import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { ResourceCdp } from '../resource-cdp.ts';
import { BodyTurns } from '../body-turns.ts';
import { ResourceStore } from '../resource-store.ts';
import { convertHere } from '../../../decoder/tests/in-process.ts';

const LOGO = 'https://logo.test/logo.png';
const png = (of: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(of),
  ]);

/** Document of frame 1: `<site> <number>`. */
let shown: string;
/** Site of the page around frame 1; part of whose resources they are. */
let around: string;
/** Called before a picture is converted, where it is. */
let converting: (() => void) | undefined;
/** Called before a call to the frame is answered. */
let asked: () => void;
let says: (event: string, params: object) => void;
let answers: string[];
/** Says that the frame shows another document. */
let changed: () => void;
let store: ResourceStore;
const open = (): Promise<string> => {
  const mac = store.token('i', LOGO, 1).split('.')[1] ?? '';
  return store.open('i', mac).then(({ body }) => Buffer.from(body).subarray(png('').length).toString());
};

// The moments at which a surrogate answers cannot be controlled: a fake one answers in each.
beforeEach(() => {
  shown = 'a 1';
  around = 'a';
  converting = undefined;
  asked = () => undefined;
  answers = [];
  const listeners = new Map<string, (params: never, origin: never) => void>();
  const origin = { session: 1, documentOf: ({ loaderId }: { loaderId: string }) => loaderId };
  says = (event, params) => listeners.get(`Network.${event}`)?.(params as never, origin as never); // all that is read of them
  const send = (_frame: number, method: string): Promise<unknown> => {
    if (method !== 'Page.getResourceContent') return Promise.reject(new Error('that is not there'));
    const from = shown;
    answers.push(from);
    asked();
    return Promise.resolve({ content: png(from).toString('base64'), base64Encoded: true });
  };
  const cdp: ResourceCdp = {
    send: send as ResourceCdp['send'], // one method is answered
    frameId: () => 'frame',
    frames: () => [1],
    documentOf: () => shown,
    partitionOf: () => `${around} ${shown.split(' ')[0]}`,
    isConfirmed: () => Promise.resolve(true),
    on: (event, listener) => void listeners.set(event, listener),
    onChange: (listener) => (changed = listener),
  };
  const rules = { format: 'webp', quality: 80, max_side: undefined } as const;
  store = new ResourceStore({
    tabKey: 'tab',
    convert: (...picture) => {
      converting?.();
      return convertHere(...picture);
    },
    turns: new BodyTurns(),
    spend: () => undefined,
    secret: randomBytes(32),
    cdp,
    pictures: () => ({ ...rules, reencode: converting !== undefined }),
    mayRequest: () => true,
  });
});

it('a resource that is awaited of a site is not taken from the next one, even if the person comes back', async () => {
  says('requestWillBeSent', { requestId: 'one', loaderId: 'a 1', request: { method: 'GET', url: LOGO } });
  const opened = open();
  await new Promise((soon) => setImmediate(soon));
  shown = 'b 2';
  asked = () => (shown = 'a 1');
  says('loadingFailed', { requestId: 'one' });
  await expect(opened).rejects.toMatchObject({ code: 'resource-not-found' });
  expect(answers).toEqual([]);
});

it('nothing waits for what a document that was left still awaits: the next one of its site gets its own', async () => {
  says('requestWillBeSent', { requestId: 'one', loaderId: 'a 1', request: { method: 'GET', url: LOGO } });
  const opened = open();
  await new Promise((soon) => setImmediate(soon));
  changed(); // of another frame
  await new Promise((soon) => setImmediate(soon));
  expect(answers).toEqual([]);
  shown = 'a 2';
  changed();
  expect(await opened).toBe('a 2');
});

it('a request to a document is not answered by the document that has replaced it', async () => {
  asked = () => (shown = 'b 2');
  await expect(open()).rejects.toMatchObject({ code: 'resource-not-found' });
  expect(answers).toEqual(['a 1']);
});

it('a resource that a document has not returned is requested from the next one of its site', async () => {
  asked = () => {
    asked = () => undefined;
    shown = 'a 2';
  };
  expect(await open()).toBe('a 2');
});

it('the number of successive documents that are tried is limited', async () => {
  asked = () => (shown = `a ${answers.length + 1}`);
  await expect(open()).rejects.toMatchObject({ code: 'resource-not-found' });
  expect(answers).toEqual(['a 1', 'a 2', 'a 3']);
});

it.each<[string, () => void]>([
  ['the frame', () => (shown = 'b 2')],
  ['the page around the frame', () => (around = 'b')],
])('a resource of a site is given to nobody once another site is there: %s', async (_what, change) => {
  converting = change;
  await expect(open()).rejects.toMatchObject({ code: 'resource-not-found' });
  expect(answers).toEqual(['a 1']);
});

it('a resource is converted while its page stays', async () => {
  let converted = 0;
  converting = () => (converted += 1);
  await open();
  expect(converted).toBe(1);
});
