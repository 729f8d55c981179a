import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PLUGIN_API } from '../../contracts/manifest.ts';
import { FIRST_PLUGIN_OPCODE, grantOpcodes, OpcodeTable } from '../../plugins/opcodes.ts';
import { siteCaps, updates } from '../../protocol/core-messages.ts';
import type { Packet } from '../../protocol/endpoint.ts';
import { AppError } from '../../protocol/errors.ts';
import { message } from '../../protocol/message.ts';
import { KEEP_MAX_MESSAGES, KEEP_MAX_UNITS } from '../../plugins/kept-messages.ts';
import { Dispatcher } from '../dispatcher.ts';
import type { Readiness } from '../dispatcher.ts';
import type { Report } from '../../events/report.ts';
import { HOLD_MAX_MESSAGES, HOLD_MS } from '../hold.ts';

const note = message('probe.note', { direction: 'host-to-client', params: v.object({ n: v.number() }) });
const manifest = {
  id: 'probe',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'A plugin to send to',
  activation: 'first-use',
  protocol: { note },
} as const;
const NOTE = FIRST_PLUGIN_OPCODE;
const UNKNOWN = 9999;

function setUp(report?: Report) {
  const table = new OpcodeTable([siteCaps, updates]);
  const [grant] = grantOpcodes([{ manifest, variant: 'default' }]);
  if (grant) table.add(manifest, grant);
  const reports: string[] = [];
  const answers: Packet[] = [];
  let readiness: Readiness = 'active';
  const shutDowns: string[] = [];
  const dispatcher = new Dispatcher({
    table,
    transmit: (_lane, packet) => void answers.push(packet),
    report:
      report ??
      ((name, data) => void reports.push(`${name} ${(data?.['code'] ?? data?.['why'] ?? '') as string}`.trim())),
    ownerOf: (op) => table.ownerOf(op),
    readiness: () => readiness,
    shutDown: ({ message: why }) => void shutDowns.push(why),
  });
  dispatcher.started();
  const notes: number[] = [];
  const listen = () =>
    dispatcher.handle(note, ({ n }) => {
      notes.push(n);
      if (n === 13) throw new Error('unlucky');
      if (n === 503) throw new AppError('shutdown', 'enough');
    });
  const setReadiness = (value: Readiness): void => {
    readiness = value;
  };
  return { dispatcher, reports, answers, notes, shutDowns, listen, setReadiness };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('dispatcher', () => {
  it('[M-086] dispatches by opcode and by name', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    dispatcher.receive('feature', [NOTE, { n: 1 }]);
    dispatcher.receive('feature', ['probe.note', { n: 2 }]);
    expect(notes).toEqual([1, 2]);
  });

  it('[M-096] warns about unknown opcodes and names, ignores them, and runs later messages', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    dispatcher.receive('feature', [UNKNOWN, null]);
    dispatcher.receive('feature', ['no.such', null]);
    dispatcher.receive('feature', [NOTE, { n: 3 }]);
    expect(notes).toEqual([3]);
    expect(console.warn).toHaveBeenCalledTimes(2);
    expect(reports).toEqual(['tc-unknown-opcode unknown-message', 'tc-unknown-opcode unknown-message']);
  });

  it('reports the plugin whose handler threw', () => {
    const received: unknown[] = [];
    const { dispatcher, listen } = setUp((name, data) => void received.push([name, data?.['plugin']]));
    listen();
    dispatcher.receive('feature', [NOTE, { n: 13 }]);
    expect(received).toEqual([['tc-uncaught-exception', 'probe']]);
  });

  it('[S-146] reports the error of a handler and continues with other handlers', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    const caps: unknown[] = [];
    dispatcher.handle(siteCaps, (given) => void caps.push(given));
    dispatcher.receive('feature', [NOTE, { n: 13 }]);
    dispatcher.receive('control', [1, { print_enabled: true }]);
    dispatcher.receive('feature', [NOTE, { n: 14 }]);
    expect(reports).toEqual(['tc-uncaught-exception internal']);
    expect(notes).toEqual([13, 14]);
    expect(caps).toEqual([{ print_enabled: true }]);
  });

  it('[S-146] survives a failing report', () => {
    const { dispatcher, notes, listen } = setUp(() => {
      throw new Error('no reports today');
    });
    listen();
    dispatcher.receive('feature', [NOTE, { n: 13 }]);
    dispatcher.receive('feature', [NOTE, { n: 14 }]);
    expect(notes).toEqual([13, 14]);
    expect(console.error).toHaveBeenCalledWith('double-fault', expect.any(Error));
  });

  it('[S-146] reports as double-fault, without its data, an error that could not be reported', () => {
    const reported: unknown[] = [];
    const { dispatcher, listen } = setUp((name, data) => {
      if (data && 'stack' in data) throw new Error('no stacks today');
      reported.push([name, data]);
    });
    listen();
    dispatcher.receive('feature', [NOTE, { n: 13 }]);
    expect(reported).toEqual([['double-fault', { event: 'tc-uncaught-exception' }]]);
  });

  it('[M-100] ends the client on a shutdown error: no later message is handled', async () => {
    const { dispatcher, notes, listen, reports, shutDowns } = setUp();
    listen();
    const waiting = dispatcher.call(message('site_caps', { direction: 'client-to-host', params: v.object({}) }), {});
    dispatcher.receive('view', [2, [[NOTE, { n: 1 }], [NOTE, { n: 503 }], [NOTE, { n: 2 }]]]); // prettier-ignore
    dispatcher.receive('feature', [NOTE, { n: 3 }]);
    expect(notes).toEqual([1, 503]);
    expect(shutDowns).toEqual(['enough']);
    expect(reports).toEqual([]);
    await expect(waiting).rejects.toMatchObject({ code: 'shutdown' });
  });

  it('[M-087] [M-096] applies the updates of one fupd in their order, even if one of them fails', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    const caps: unknown[] = [];
    dispatcher.handle(siteCaps, (given) => void caps.push([...notes, given]));
    const inner = ['fupd', [[NOTE, { n: 99 }]]];
    const packets = [[NOTE, { n: 1 }], [NOTE, { n: 13 }], [UNKNOWN, null], ['site_caps', { a: 1 }], inner];
    dispatcher.receive('view', [2, [...packets, ['probe.note', { n: 2 }]]]);
    expect(notes).toEqual([1, 13, 2]);
    expect(caps).toEqual([[1, 13, { a: 1 }]]);
    expect(reports).toEqual(['tc-uncaught-exception internal', 'tc-unknown-opcode unknown-message']);
  });

  it('rejects invalid parameters', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    dispatcher.receive('feature', [NOTE, { n: 'one' }]);
    expect(notes).toEqual([]);
    expect(reports).toEqual(['tc-bad-message bad-message']);
  });
});

describe('messages for a plugin that is not active yet', () => {
  it('are queued and delivered in order, before later ones', () => {
    const { dispatcher, notes, listen, setReadiness } = setUp();
    setReadiness('coming');
    for (const n of [1, 2, 3]) dispatcher.receive('feature', [NOTE, { n }]);
    listen();
    dispatcher.receive('feature', [NOTE, { n: 4 }]); // while it is being activated
    expect(notes).toEqual([]);
    setReadiness('active');
    dispatcher.settled('probe');
    dispatcher.receive('feature', [NOTE, { n: 5 }]);
    expect(notes).toEqual([1, 2, 3, 4, 5]);
  });

  it('are queued up to a maximum number and size', () => {
    const { dispatcher, notes, listen, setReadiness, reports } = setUp();
    setReadiness('coming');
    for (let n = 0; n <= KEEP_MAX_MESSAGES; n += 1) dispatcher.receive('feature', [NOTE, { n }]);
    expect(reports).toEqual(['tc-message-not-kept']);
    listen();
    setReadiness('active');
    dispatcher.settled('probe');
    expect(notes).toHaveLength(KEEP_MAX_MESSAGES);
    setReadiness('coming');
    dispatcher.receive('feature', [NOTE, { n: 1, text: 'x'.repeat(KEEP_MAX_UNITS) }]);
    expect(reports.filter((each) => each === 'tc-message-not-kept')).toHaveLength(2);
  });

  it('are unknown when the plugin will never be active', () => {
    const { dispatcher, setReadiness, reports, answers } = setUp();
    setReadiness('coming');
    dispatcher.receive('feature', [NOTE, { n: 1 }, 7]);
    setReadiness('none');
    dispatcher.settled('probe');
    expect(reports).toEqual(['tc-unknown-opcode unknown-message']);
    expect(answers).toMatchObject([[0, [7, false, { code: 'unknown-message' }]]]);
  });
});

describe('messages that depend on the mirror', () => {
  const after = (n: number, seq: number, epoch = 5): Packet => [NOTE, { n }, 0, [1, epoch, seq]];

  it('wait until the view has reached their state, and block only their lane', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    dispatcher.reached(1, 5, 1);
    dispatcher.receive('feature', after(1, 3));
    dispatcher.receive('feature', [NOTE, { n: 2 }]);
    dispatcher.receive('input', [NOTE, { n: 3 }]);
    dispatcher.receive('input', after(4, 1));
    expect(notes).toEqual([3, 4]);
    dispatcher.reached(1, 5, 2);
    expect(notes).toEqual([3, 4]);
    dispatcher.reached(1, 5, 3);
    expect(notes).toEqual([3, 4, 1, 2]);
  });

  it('are delivered, with a report, when the view does not reach their state in time', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    dispatcher.receive('feature', after(1, 3));
    vi.advanceTimersByTime(1000);
    dispatcher.receive('feature', after(2, 4));
    vi.advanceTimersByTime(HOLD_MS - 1001);
    expect(notes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(notes).toEqual([1]);
    vi.advanceTimersByTime(1000);
    expect(notes).toEqual([1, 2]);
    expect(reports).toEqual(['tc-after-given-up late', 'tc-after-given-up late']);
  });

  it('are dropped when their epoch is over: a resync blocks nothing', () => {
    const { dispatcher, notes, listen, reports, answers } = setUp();
    listen();
    dispatcher.reached(1, 5, 1);
    dispatcher.receive('feature', after(1, 3));
    dispatcher.receive('feature', after(2, 1, 6));
    dispatcher.reached(1, 6, 1);
    expect(notes).toEqual([2]);
    dispatcher.receive('feature', after(3, 9, 5));
    expect(notes).toEqual([2]);
    expect(reports).toEqual(['tc-after-given-up superseded', 'tc-after-given-up superseded']);
    dispatcher.receive('feature', [NOTE, { n: 4 }, 7, [1, 5, 9]]);
    expect(answers).toEqual([[0, [7, true, undefined]]]); // a caller waits for its answer
  });

  it('[M-051] are dropped for the latest of many past epochs, too', () => {
    const { dispatcher, notes, listen, reports } = setUp();
    listen();
    for (let epoch = 1; epoch <= 20; epoch += 1) dispatcher.reached(1, epoch, 1);
    dispatcher.receive('feature', after(1, 9, 19));
    dispatcher.receive('feature', after(2, 1, 20));
    expect(reports).toEqual(['tc-after-given-up superseded']);
    expect(notes).toEqual([2]);
  });

  it('are held up to a maximum number', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    for (let n = 0; n < HOLD_MAX_MESSAGES; n += 1) dispatcher.receive('feature', after(n, 3));
    expect(notes).toEqual([]);
    dispatcher.receive('feature', after(HOLD_MAX_MESSAGES, 3));
    expect(notes).toHaveLength(HOLD_MAX_MESSAGES + 1);
  });

  it('wait for one timer, that of the oldest of all lanes', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    const began = Date.now();
    dispatcher.receive('feature', after(1, 3));
    vi.advanceTimersByTime(1000);
    dispatcher.receive('input', after(2, 4));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersToNextTimer();
    expect([Date.now() - began, notes]).toEqual([HOLD_MS, [1]]);
    vi.advanceTimersToNextTimer();
    expect([Date.now() - began, notes]).toEqual([HOLD_MS + 1000, [1, 2]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('count no longer once they are delivered', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    for (let n = 0; n <= HOLD_MAX_MESSAGES; n += 1) {
      dispatcher.receive('feature', after(n, n + 1));
      dispatcher.reached(1, 5, n + 1);
    }
    expect(notes).toHaveLength(HOLD_MAX_MESSAGES + 1);
    dispatcher.receive('feature', after(-1, HOLD_MAX_MESSAGES + 2));
    expect(notes).not.toContain(-1);
  });

  it('are discarded when the session ends', () => {
    const { dispatcher, notes, listen } = setUp();
    listen();
    dispatcher.receive('feature', after(1, 3));
    dispatcher.close(new AppError('channel-dead', 'over'));
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10 * HOLD_MS);
    expect(notes).toEqual([]);
    expect(() => {
      dispatcher.send(message('probe.note', { direction: 'client-to-host', params: v.object({}) }), {});
    }).toThrow(expect.objectContaining({ code: 'channel-dead' }));
  });
});
