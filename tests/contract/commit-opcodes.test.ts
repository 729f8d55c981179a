import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { handleCommits } from '../../plugins/compositor/shared/commits.ts';
import { Dispatcher } from '../../core/dispatch/dispatcher.ts';
import { Reporter } from '../../core/events/reporter.ts';
import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import { grantOpcodes, OpcodeTable } from '../../core/plugins/opcodes.ts';
import { COMMIT_MESSAGES } from '../../plugins/compositor/shared/commit-messages.ts';
import type { CommitHandlers } from '../../plugins/compositor/shared/commit-messages.ts';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import { manifest as favicon } from '../../plugins/favicon-title/manifest.ts';
import { setTitle } from '../../plugins/favicon-title/protocol.ts';

/** Commit messages of the second renderer. */
const compositor = {
  id: 'compositor',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows pages as pictures',
  activation: 'boot',
  protocol: COMMIT_MESSAGES,
} as const;

const place = { fid: 3, node_id: 44 };
const box = { x: -5.5, y: 10, width: 120, height: 18 };
const PARAMS = {
  hitTestResult: { frame: 3, result: null },
  loadFinished: { fid: 3 },
  loadFailed: { fid: 3 },
  caretPosition: { ...place, box },
  readyForInput: place,
  selections: { fid: 3, boxes: [box] },
  focusChanged: place,
  dragStarted: { ...place, image: null },
  dragStopped: { fid: 3 },
  showPicker: { ...place, picker: 'date' },
  searchReply: { count: 2, total: 7 },
  searchStart: { kind: 'prev' },
  inputValue: { ...place, value: 'typed' },
  inputValues: { values: [{ ...place, value: 'typed' }] },
  readOnlyException: { ...place, excepted: true },
  readOnlyStatus: { fid: 3, is_readonly: true },
} satisfies { [K in keyof CommitHandlers]: Parameters<CommitHandlers[K]>[0] };
const NAMES = Object.keys(PARAMS) as (keyof CommitHandlers)[]; // as it is declared

function setUp() {
  const table = new OpcodeTable(CORE_MESSAGES);
  const both = [compositor, favicon];
  grantOpcodes(both.map((manifest) => ({ manifest, variant: 'default' }))).forEach((grant, at) =>
    table.add(both[at]!, grant),
  );
  const sent: string[] = [];
  const reporter = new Reporter({
    url: () => 'https://site.test/',
    facts: { build_id: 'b', tc_api: 1, user_agent: 'agent', host: 'vitrine.test' },
    call: ({ body }) => {
      sent.push(...(body as { items: { event: string }[] }).items.map(({ event }) => event));
      return Promise.resolve({});
    },
  });
  const dispatcher = new Dispatcher({
    table,
    transmit: () => undefined,
    report: reporter.report.bind(reporter),
    ownerOf: (op) => table.ownerOf(op),
    readiness: () => 'active',
    shutDown: () => undefined,
  });
  dispatcher.started();
  const handled: [string, unknown][] = [];
  const handlers = Object.fromEntries(
    NAMES.map((name) => [name, (params: unknown) => void handled.push([name, params])]),
  );
  const undo = handleCommits(dispatcher, handlers as unknown as CommitHandlers); // one for each, by its name
  dispatcher.handle(setTitle, (params) => void handled.push(['setTitle', params]));
  return { table, dispatcher, sent, handled, undo };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('every opcode of commits reaches only its handler, the datetime chooser none, without a report', async () => {
  const { table, dispatcher, handled, sent } = setUp();
  const arrive = (op: number, params: unknown): void =>
    dispatcher.receive('view', [op, JSON.parse(JSON.stringify(params))]);
  const all = [...NAMES.map((name) => [name, PARAMS[name]] as const), ['setTitle', { title: 'Page' }] as const];
  for (const [name, params] of all) {
    const { length } = handled;
    arrive(table.opOf(name === 'setTitle' ? setTitle : COMMIT_MESSAGES[name]), params);
    expect(handled.slice(length)).toEqual([[name, params]]);
  }
  arrive(table.opOf(COMMIT_MESSAGES.dateTimeChooser), place);
  await vi.advanceTimersByTimeAsync(5000);
  expect(handled).toHaveLength(all.length);
  expect(sent).toEqual([]);
});

it('unknown opcodes are reported once, and block no others', async () => {
  const { table, dispatcher, handled, sent } = setUp();
  for (let op = 9000; op < 9005; op++) dispatcher.receive('view', [op, null]);
  dispatcher.receive('view', [table.opOf(COMMIT_MESSAGES.loadFinished), PARAMS.loadFinished]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(handled).toEqual([['loadFinished', PARAMS.loadFinished]]);
  expect(sent).toEqual(['tc-unknown-opcode']);
});

it('invalid parameters of commit opcodes reach no handler', () => {
  const { table, dispatcher, handled } = setUp();
  const wrong: [keyof CommitHandlers, unknown][] = [
    ['searchStart', { kind: 'last' }],
    ['searchReply', { count: -1, total: 2 }],
    ['showPicker', { ...place, picker: 'file' }],
    ['selections', { fid: 1, boxes: Array.from({ length: 101 }, () => box) }],
    ['caretPosition', { ...place, box: { ...box, width: 1e9 } }],
    ['inputValue', { ...place, value: 'x'.repeat(100_001) }],
  ];
  for (const [name, params] of wrong) dispatcher.receive('view', [table.opOf(COMMIT_MESSAGES[name]), params]);
  expect(handled).toEqual([]);
});

it('all commit opcodes are unregistered when one of them could not be registered', () => {
  const { dispatcher, undo } = setUp();
  const nobody = Object.fromEntries(NAMES.map((name) => [name, () => undefined])) as unknown as CommitHandlers;
  undo();
  const undoTaken = dispatcher.handle(COMMIT_MESSAGES.loadFinished, () => undefined);
  expect(() => handleCommits(dispatcher, nobody)).toThrow(expect.objectContaining({ code: 'already-handled' }));
  undoTaken();
  expect(() => handleCommits(dispatcher, nobody)).not.toThrow();
});

it('commit opcodes are free for another renderer once the first is disposed', () => {
  const { dispatcher, undo } = setUp();
  undo();
  const nobody = Object.fromEntries(NAMES.map((name) => [name, () => undefined]));
  expect(() => handleCommits(dispatcher, nobody as unknown as CommitHandlers)).not.toThrow();
});
