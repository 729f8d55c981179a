import { expect, it } from 'vitest';
import { CdpConnection } from '../cdp.ts';
import type { CdpSession } from '../cdp-session.ts';
import type { CdpTransport } from '../cdp-transport.ts';

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
}

/** A connection to a browser with two pages, one of which sends what it likes on its own session. */
function connect() {
  const sent: Sent[] = [];
  const faults: unknown[] = [];
  let receive: (message: object) => void = () => undefined;
  const transport: CdpTransport = {
    start: (reader) => {
      receive = (message) => {
        const text = JSON.stringify(message);
        reader.read(text, text.length);
      };
    },
    send: (text) => void sent.push(JSON.parse(text) as Sent),
    close: () => undefined,
  };
  const connection = new CdpConnection(transport, { onFault: (fault) => void faults.push(fault) });
  const pages: CdpSession[] = [];
  connection.root.onAttached(({ session }) => void pages.push(session));
  const attach = (sessionId: string, on?: string): void =>
    receive({
      method: 'Target.attachedToTarget',
      params: { sessionId, targetInfo: { targetId: sessionId, type: 'page', url: 'https://a.test/' } },
      ...(on !== undefined && { sessionId: on }),
    });
  attach('honest');
  attach('hostile');
  const [honest, hostile] = pages;
  if (!honest || !hostile) throw new Error('not attached');
  return { connection, sent, faults, honest, hostile, attach, receive: (message: object) => receive(message) };
}

it('[L5] an answer counts on the session of its command only', async () => {
  const { sent, honest, receive } = connect();
  let answer: unknown;
  const answered = honest.send('Page.getNavigationHistory').then((value) => (answer = value));
  const { id } = sent.at(-1)!;
  receive({ id, sessionId: 'hostile', result: { currentIndex: 0, entries: ['forged'] } });
  receive({ id, result: { currentIndex: 0, entries: ['forged'] } });
  await Promise.resolve();
  expect(answer).toBeUndefined();
  const entries = [{ id: 1, url: 'https://a.test/' }];
  receive({ id, sessionId: 'honest', result: { currentIndex: 0, entries } });
  expect(await answered).toEqual({ currentIndex: 0, entries });
  const refused = honest.send('Page.getNavigationHistory');
  receive({ id: sent.at(-1)!.id, error: { code: -32001, message: 'Session with given id not found.' } });
  await expect(refused).rejects.toMatchObject({ code: 'cdp-closed' });
});

it.each([{}, { currentIndex: 0, entries: ['x'] }, { currentIndex: 0 }, null, 'text'])(
  '[L5] a history of another shape is an error of its command: %j',
  async (result) => {
    const { sent, honest, receive } = connect();
    const answered = honest.send('Page.getNavigationHistory');
    receive({ id: sent.at(-1)!.id, sessionId: 'honest', result });
    await expect(answered).rejects.toMatchObject({ code: 'cdp-malformed' });
  },
);

it('[L5] ids of commands cannot be foreseen by those of others', () => {
  const { connection, sent } = connect();
  for (let n = 0; n < 50; n += 1) connection.root.send('Browser.getVersion').catch(() => undefined); // never answered
  const steps = sent.map(({ id }, at) => id - (sent[at - 1]?.id ?? 0));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(50);
  expect(new Set(steps).size).toBeGreaterThan(45);
  for (const { id } of sent) expect(Number.isInteger(id) && id > 0 && id < 2 ** 31).toBe(true);
});

it('[L5] a session cannot be announced again by another', () => {
  const { connection, honest, attach } = connect();
  attach('honest', 'hostile');
  expect(connection.session('honest')).toBe(honest);
});

it('drops events whose fields are not of the types that the protocol declares, with a fault', () => {
  const { hostile, faults, receive } = connect();
  const heard: unknown[] = [];
  hostile.on('Page.frameAttached', ({ frameId }) => void heard.push(frameId));
  hostile.on('Page.loadEventFired', (params) => void heard.push(params));
  hostile.on('CSS.fontsUpdated', ({ font }) => void heard.push(font));
  const send = (method: string, params?: unknown): void => receive({ method, params, sessionId: 'hostile' });
  send('Page.frameAttached', { frameId: 7, parentFrameId: 'a' });
  send('Page.frameAttached', null);
  send('Page.frameAttached', ['a']);
  send('CSS.fontsUpdated', { font: { src: {} } });
  send('Page.loadEventFired', 'x');
  send('Target.attachedToTarget', { sessionId: 'another' });
  expect(heard).toEqual([]);
  expect(faults).toHaveLength(6);
  expect(faults).toEqual(faults.map(() => expect.objectContaining({ code: 'cdp-malformed' }) as unknown));
  send('Page.frameAttached', { frameId: 'f', parentFrameId: 'a', more: 1 });
  send('CSS.fontsUpdated', {});
  send('Page.loadEventFired');
  expect(heard).toEqual(['f', undefined, {}]);
});
