import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/protocol/errors.ts';
import { CdpConnection } from '../cdp.ts';
import type { CdpSession } from '../cdp-session.ts';
import type { CdpTransport } from '../cdp-transport.ts';

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
}

const NOT_FOUND = { code: -32001, message: 'Session with given id not found.' };
const infoOf = (targetId: string) => ({ targetId, type: 'page', url: `https://${targetId}.test/` });

/** A connection to a browser with two pages, one of which sends what it likes: on its own session, on others, or on none. */
function connect() {
  const sent: Sent[] = [];
  const faults: AppError[] = [];
  const announced: string[] = [];
  /** Sessions that the browser has, and the targets that they are of. */
  const known = new Map<string, string>();
  let closed = false;
  let read: (message: object) => void = () => undefined;
  const answers = { isHeld: false };
  const transport: CdpTransport = {
    start: (reader, onClose) => {
      read = (message) => {
        const text = JSON.stringify(message);
        if (!closed) reader.read(text, text.length);
      };
      transport.close = () => {
        if (closed) return;
        closed = true;
        onClose();
      };
    },
    send: (text) => {
      const command = JSON.parse(text) as Sent;
      sent.push(command);
      if (command.method === 'Target.getTargetInfo' && !answers.isHeld) answer(command);
    },
    close: () => undefined,
  };
  const answer = ({ id, sessionId }: Sent): void => {
    const targetId = known.get(sessionId ?? '');
    read(
      targetId === undefined ? { id, error: NOT_FOUND } : { id, sessionId, result: { targetInfo: infoOf(targetId) } },
    );
  };
  const connection = new CdpConnection(transport, { onFault: (fault) => void faults.push(fault as AppError) });
  const pages: CdpSession[] = [];
  connection.root.onAttached(({ session }) => void pages.push(session));
  const announce = (sessionId: string, on?: string, claimed: object = infoOf('claimed')): void => {
    announced.push(sessionId);
    read({
      method: 'Target.attachedToTarget',
      params: { sessionId, targetInfo: claimed },
      ...(on !== undefined && { sessionId: on }),
    });
  };
  const attach = (sessionId: string, on?: string): void => {
    known.set(sessionId, `t-${sessionId}`);
    announce(sessionId, on);
  };
  attach('honest');
  attach('hostile');
  const [honest, hostile] = pages;
  if (!honest || !hostile) throw new Error('not attached');
  const forget = (sessionId: string): boolean => known.delete(sessionId);
  const ask = { connection, sent, faults, honest, hostile, pages, answers };
  return { ...ask, attach, announce, answer, forget, receive: (message: object) => read(message) };
}

const codesOf = (faults: readonly AppError[]): string[] => faults.map(({ code }) => code);

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
  sent.splice(0);
  for (let n = 0; n < 50; n += 1) connection.root.send('Browser.getVersion').catch(() => undefined); // never answered
  const steps = sent.map(({ id }, at) => id - (sent[at - 1]?.id ?? 0));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(50);
  expect(new Set(steps).size).toBeGreaterThan(45);
  for (const { id } of sent) expect(Number.isInteger(id) && id > 0 && id < 2 ** 31).toBe(true);
});

it('[L5] ends a connection on which somebody guesses ids, and not for answers that are late', async () => {
  const { connection, sent, honest, faults, receive } = connect();
  const late = honest.send('DOM.enable', {}, { deadlineMs: 1 });
  await expect(late).rejects.toMatchObject({ code: 'cdp-timeout' });
  const { id } = sent.at(-1)!;
  for (let times = 0; times < 2000; times++) receive({ id, sessionId: 'honest', result: {} });
  expect(connection.root.closed.aborted).toBe(false);
  for (let guess = 1; guess <= 2000; guess++) receive({ id: guess, result: {} });
  expect(connection.root.closed.aborted).toBe(true);
  expect(codesOf(faults)).toEqual(['cdp-forged']);
});

it('[L5] only the error of a session that is gone counts without a session', async () => {
  const { sent, honest, receive } = connect();
  let outcome: unknown;
  const refused = honest.send('DOM.enable').catch((thrown: unknown) => (outcome = thrown));
  receive({ id: sent.at(-1)!.id, error: { code: -32000, message: 'forged' } });
  await Promise.resolve();
  expect(outcome).toBeUndefined();
  receive({ id: sent.at(-1)!.id, error: NOT_FOUND });
  expect(await refused).toMatchObject({ code: 'cdp-closed' });
});

describe('[L5] a page’s process that speaks as the browser, without a session', () => {
  it.each(['Page.frameNavigated', 'Fetch.requestPaused', 'Runtime.bindingCalled', 'Browser.getVersion'])(
    'is not heard about anything but targets: %s',
    (method) => {
      const { connection, faults, receive } = connect();
      const heard: unknown[] = [];
      for (const event of [method, 'Target.targetCreated'])
        connection.root.on(event as 'Page.frameNavigated', (params) => void heard.push(params));
      receive({ method, params: {} });
      expect(heard).toEqual([]);
      expect(codesOf(faults)).toEqual(['cdp-forged']);
      receive({ method: 'Target.targetCreated', params: { targetInfo: infoOf('t') } });
      expect(heard).toHaveLength(1);
    },
  );

  it.each([undefined, 'hostile', 'honest'])('announces no session that the browser has not, on %s', (on) => {
    const { connection, pages, honest, hostile, faults, announce } = connect();
    announce('phantom', on, { ...infoOf('bank'), openerId: 't-honest' });
    expect(connection.session('phantom')).toBeUndefined();
    expect([pages.length, honest.children.size, hostile.children.size]).toEqual([2, 0, 0]);
    expect(codesOf(faults)).toEqual(['cdp-forged']);
  });

  it('says nothing of a target: the browser is asked', () => {
    const { pages, attach, receive } = connect();
    const forged = { ...infoOf('t-hostile'), url: 'https://bank.test/', type: 'iframe', parentFrameId: 't-honest' };
    attach('new');
    expect(pages.map(({ targetInfo }) => targetInfo)).toEqual(['t-honest', 't-hostile', 't-new'].map(infoOf));
    const heard: unknown[] = [];
    pages[1]?.on('Target.targetInfoChanged', ({ targetInfo }) => void heard.push(targetInfo));
    receive({ method: 'Target.targetInfoChanged', params: { targetInfo: forged } });
    expect(heard).toEqual([infoOf('t-hostile')]); // it is only a reason to ask
    expect(pages[1]?.targetInfo).toEqual(infoOf('t-hostile'));
  });

  it('ends no session of another: its parent’s session has to say so', () => {
    const { honest, attach, connection, receive } = connect();
    attach('inner', 'honest');
    const inner = connection.session('inner');
    for (const sessionId of [undefined, 'hostile'])
      receive({ method: 'Target.detachedFromTarget', params: { sessionId: 'inner' }, sessionId });
    expect(inner?.closed.aborted).toBe(false);
    expect([...honest.children]).toEqual([inner]);
    receive({ method: 'Target.detachedFromTarget', params: { sessionId: 'inner' }, sessionId: 'honest' });
    expect(inner?.closed.aborted).toBe(true);
  });

  it('announces a bounded number of targets at a time', () => {
    const { answers, sent, faults, announce } = connect();
    answers.isHeld = true;
    sent.splice(0);
    for (let n = 0; n < 5000; n++) announce(`s${n}`);
    expect(sent.length).toBe(2000);
    expect(new Set(codesOf(faults))).toEqual(new Set(['cdp-forged']));
  });
});

it('a session cannot be announced again by another, nor while the browser is asked for it', () => {
  const { connection, answers, sent, honest, pages, attach, answer, announce } = connect();
  attach('honest', 'hostile');
  expect(connection.session('honest')).toBe(honest);
  answers.isHeld = true;
  attach('next');
  announce('next', 'hostile');
  expect([pages.length, connection.session('next')]).toEqual([2, undefined]);
  answer(sent.at(-1)!);
  expect(connection.session('next')?.parent).toBe(connection.root);
  expect(pages).toHaveLength(3);
});

it('a target that ends while the browser is asked for it is not announced, and is no fault', () => {
  const { connection, answers, sent, pages, faults, attach, answer, forget, receive } = connect();
  const detached: unknown[] = [];
  connection.root.onDetached((session) => void detached.push(session));
  answers.isHeld = true;
  attach('short');
  forget('short');
  receive({ method: 'Target.detachedFromTarget', params: { sessionId: 'short' } });
  answer(sent.at(-1)!);
  expect([pages.length, detached, faults]).toEqual([2, [], []]);
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
  expect(codesOf(faults)).toEqual(faults.map(() => 'cdp-malformed'));
  send('Page.frameAttached', { frameId: 'f', parentFrameId: 'a', more: 1 });
  send('CSS.fontsUpdated', {});
  send('Page.loadEventFired');
  expect(heard).toEqual(['f', undefined, {}]);
});
