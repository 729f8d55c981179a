import { beforeEach, describe, expect, it } from 'vitest';
import { CdpConnection } from '../../surrogate/cdp.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { CdpTransport } from '../../surrogate/cdp-transport.ts';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import { TabCdp } from '../page/cdp-broker.ts';
import { FrameTree } from '../page/frames.ts';
import { PageSessions } from '../page/page-sessions.ts';

const BANK = 'http://bank.test/login';
const AD = 'http://ad.test/';

let say: (sessionId: string | undefined, method: string, params: object) => void;
/** Targets of the browser's sessions. */
let targets: Map<string, object>;
let sessions: PageSessions;
let frames: FrameTree;
let faults: string[];

const targetInfo = (targetId: string, type: string, parentFrameId?: string): object => ({
  ...{ targetId, type, title: '', url: '', attached: true, canAccessOpener: false },
  ...(parentFrameId !== undefined && { parentFrameId }),
});
/** As if the browser had that target, even where a page's process says so: it is none of its business then. */
const attach = (on: string | undefined, id: string, target: string, parent?: string): void => {
  targets.set(id, targetInfo(target, on === undefined ? 'page' : 'iframe', parent));
  say(on, 'Target.attachedToTarget', { sessionId: id, targetInfo: targets.get(id), waitingForDebugger: true });
};
const detach = (on: string, sessionId: string): void => say(on, 'Target.detachedFromTarget', { sessionId });
const navigated = (on: string, id: string, url: string, parentId?: string): void =>
  say(on, 'Page.frameNavigated', {
    frame: {
      ...{ id, loaderId: `L-${url}`, url, securityOrigin: new URL(url).origin, mimeType: 'text/html' },
      ...(parentId !== undefined && { parentId }),
    },
    type: 'Navigation',
  });
const reported = (on: string, frameId: string, parentFrameId: string): void =>
  say(on, 'Page.frameAttached', { frameId, parentFrameId });
const context = (on: string, id: number, frameId: string): void =>
  say(on, 'Runtime.executionContextCreated', {
    context: {
      ...{ id, uniqueId: `${on}-${id}`, name: PAGE_WORLD, origin: 'chrome-extension://x' },
      auxData: { frameId, isDefault: false },
    },
  });
const idOf = (cdpId: string): number => frames.frameOf(cdpId) ?? -1;
const sessionOf = (cdpId: string): string | undefined => frames.sessionOf(idOf(cdpId))?.id;
const worldOf = (cdpId: string): string | undefined => frames.worldOf(idOf(cdpId))?.uniqueId;
const bySessionId = (id: string): CdpSession | undefined =>
  sessions.documents().find(({ session }) => session.id === id)?.session;

/** A bank's page P with a frame of its own site (near) and one of another (ad). */
beforeEach(() => {
  let read: (text: string, bytes: number) => void = () => undefined;
  const transport: CdpTransport = {
    start: (reader) => void (read = (text, bytes) => reader.read(text, bytes)),
    send: (text) => {
      const { id, method, sessionId } = JSON.parse(text) as { id: number; method: string; sessionId: string };
      const answer = JSON.stringify({ id, result: { targetInfo: targets.get(sessionId) }, sessionId });
      if (method === 'Target.getTargetInfo') read(answer, answer.length);
    },
    close: () => undefined,
  };
  const connection = new CdpConnection(transport, {
    onFault: (error) => {
      throw error;
    },
  });
  say = (sessionId, method, params) => {
    const text = JSON.stringify({ method, params, sessionId });
    read(text, text.length);
  };
  targets = new Map();
  sessions = new PageSessions();
  frames = new FrameTree(sessions);
  faults = [];
  frames.onForeign(({ code }) => faults.push(code));
  connection.root.onAttached(({ session }) => void sessions.openPage(session));
  attach(undefined, 'P', 'main');
  navigated('P', 'main', BANK);
  context('P', 1, 'main');
  reported('P', 'near', 'main');
  navigated('P', 'near', `${BANK}/near`, 'main');
  context('P', 2, 'near');
  reported('P', 'ad', 'main');
  attach('P', 'A', 'ad', 'main');
  navigated('A', 'ad', AD, 'main');
  context('A', 1, 'ad');
});

describe('the process of an embedded frame', () => {
  const speaks: [string, () => void][] = [
    ['navigation of the main frame', () => navigated('A', 'main', 'http://evil.test/')],
    ['a context in the main frame', () => context('A', 9, 'main')],
    [
      'a navigation within the main document',
      () => say('A', 'Page.navigatedWithinDocument', { frameId: 'main', url: AD }),
    ],
    ['that the main frame is its child', () => reported('A', 'main', 'ad')],
    ['navigation of the page’s other frame', () => navigated('A', 'near', AD, 'main')],
    ['a context in the page’s other frame', () => context('A', 9, 'near')],
    ['that the page’s other frame is its child', () => reported('A', 'near', 'ad')],
    ['the end of the page’s other frame', () => say('A', 'Page.frameDetached', { frameId: 'near', reason: 'remove' })],
    ['a new frame in the main one', () => reported('A', 'new', 'main')],
    ['a new document in the main one', () => navigated('A', 'new', AD, 'main')],
    [
      'a target for the main frame',
      () => (attach('A', 'X', 'main', 'ad'), context('X', 9, 'main'), navigated('X', 'main', AD)),
    ],
    [
      'a target for the page’s other frame',
      () => (attach('A', 'X', 'near', 'ad'), context('X', 9, 'near'), navigated('X', 'near', AD)),
    ],
    ['a second target for itself', () => (attach('A', 'X', 'ad', 'main'), context('X', 9, 'ad'))],
  ];

  it.each(speaks)('does not change other frames by reporting %s', (_what, act) => {
    const before = frames.all();
    act();
    expect(frames.all()).toEqual(before);
    expect(['main', 'near', 'ad'].map(sessionOf)).toEqual(['P', 'P', 'A']);
    expect(['main', 'near', 'ad'].map(worldOf)).toEqual(['P-1', 'P-2', 'A-1']);
    expect(frames.get(1)?.url).toBe(BANK);
    const [ad, other] = [bySessionId('A'), bySessionId('X')];
    for (const session of [ad, other]) expect(session && frames.frameOfContext(session, 9)).toBeUndefined();
  });

  it('is reported once', () => {
    for (let times = 0; times < 5; times++) navigated('A', 'main', AD);
    context('A', 9, 'near');
    expect(faults).toEqual(['foreign-frame']);
  });

  it('reports frames within its own', () => {
    reported('A', 'inner', 'ad');
    navigated('A', 'inner', `${AD}inner`, 'ad');
    context('A', 5, 'inner');
    expect([sessionOf('inner'), worldOf('inner')]).toEqual(['A', 'A-5']);
    attach('A', 'N', 'inner', 'ad');
    context('N', 1, 'inner');
    context('P', 6, 'inner');
    expect([sessionOf('inner'), worldOf('inner')]).toEqual(['N', 'N-1']);
  });
});

it('a target is one of the frame tree once the frame around it is known', () => {
  attach('P', 'N', 'deep', 'later');
  reported('P', 'later', 'main');
  navigated('N', 'deep', AD, 'later');
  context('N', 3, 'deep');
  expect([sessionOf('deep'), worldOf('deep'), faults]).toEqual(['N', 'N-3', []]);
  context('A', 3, 'deep');
  expect(sessionOf('deep')).toBe('N');
});

it('only the latest world of a frame speaks for it', () => {
  context('P', 20, 'main');
  const page = bySessionId('P');
  expect([1, 20].map((id) => page && frames.frameOfContext(page, id)?.id)).toEqual([undefined, 1]);
});

it('a page half that runs at an address not known yet is ready at once in a frame within another’s process', () => {
  const ready: number[] = [];
  frames.onReady(({ id }) => void ready.push(id));
  frames.hello(idOf('near'), `${BANK}/elsewhere`);
  expect(ready).toEqual([idOf('near')]);
  frames.hello(1, `${BANK}/elsewhere`); // the browser is asked first
  expect(ready).toHaveLength(1);
});

describe('the process of a page', () => {
  it('cannot speak for a frame of another site', () => {
    navigated('P', 'ad', BANK, 'main');
    context('P', 9, 'ad');
    expect([sessionOf('ad'), worldOf('ad'), frames.get(idOf('ad'))?.url]).toEqual(['A', 'A-1', AD]);
  });

  it('cannot announce another target for a frame that is one', () => {
    attach('P', 'X', 'ad', 'main');
    context('X', 9, 'ad');
    expect([sessionOf('ad'), worldOf('ad')]).toEqual(['A', 'A-1']);
  });

  it('has no context back that has gone meanwhile', () => {
    navigated('P', 'ad', `${BANK}/back`, 'main');
    context('P', 8, 'ad');
    say('P', 'Runtime.executionContextDestroyed', { executionContextId: 8 });
    detach('P', 'A');
    expect([sessionOf('ad'), worldOf('ad')]).toEqual(['P', undefined]);
  });

  it.each(['before', 'after'])('has a frame back: it reports so %s the browser', (when) => {
    const { id } = frames.get(idOf('ad')) ?? {};
    if (when === 'after') detach('P', 'A');
    reported('P', 'ad', 'main');
    context('P', 8, 'ad');
    say('P', 'Runtime.executionContextDestroyed', { executionContextId: 8 });
    navigated('P', 'ad', `${BANK}/back`, 'main');
    context('P', 9, 'ad');
    reported('P', 'below', 'ad');
    navigated('P', 'below', `${BANK}/below`, 'ad');
    context('P', 10, 'below');
    if (when === 'before') detach('P', 'A');
    expect(idOf('ad')).toBe(id);
    expect(['ad', 'below'].map(sessionOf)).toEqual(['P', 'P']);
    expect(['ad', 'below'].map(worldOf)).toEqual(['P-9', 'P-10']);
    const page = bySessionId('P');
    expect(page && frames.frameOfContext(page, 8)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it('has not back what it swaps out after all', () => {
    navigated('P', 'ad', `${BANK}/old`, 'main');
    context('P', 9, 'ad');
    say('P', 'Page.frameDetached', { frameId: 'ad', reason: 'swap' });
    detach('P', 'A');
    expect(worldOf('ad')).not.toBe('P-9');
  });
});

describe('the events of a frame, whoever listens for them', () => {
  const NAMING: Readonly<Record<string, (frameId: string) => object>> = {
    'Page.frameStartedNavigating': (frameId) => ({ frameId, url: AD, navigationType: 'differentDocument' }),
    'Page.frameStoppedLoading': (frameId) => ({ frameId }),
    'Page.navigatedWithinDocument': (frameId) => ({ frameId, url: AD }),
    'Page.frameDetached': (frameId) => ({ frameId, reason: 'remove' }),
    'CSS.styleSheetAdded': (frameId) => ({
      header: { styleSheetId: 's', frameId, sourceURL: AD, isInline: false, ownerNode: 7 },
    }),
    'Runtime.executionContextCreated': (frameId) => ({
      context: { id: 77, uniqueId: 'u', name: 'x', origin: AD, auxData: { frameId } },
    }),
  };
  const request = { url: AD, method: 'GET', headers: {} };
  const DETAIL: Readonly<Record<string, (frameId: string) => object>> = {
    'Network.requestWillBeSent': (frameId) => ({ requestId: '1', loaderId: 'L', frameId, type: 'Document', request }),
    'Page.javascriptDialogOpening': (frameId) => ({ frameId, url: AD, message: 'hello', type: 'alert' }),
  };
  /** All that a plugin hears of an event, with the frame of the session. */
  function heard(event: string): [params: unknown, frame: number][] {
    const found: [unknown, number][] = [];
    const permitted = ['Page.*', 'CSS.*', 'Network.*', 'Runtime.*'];
    const broker = new TabCdp(sessions, frames).of(
      'test',
      permitted,
      (undo) => undo,
      (fault) => {
        throw fault;
      },
    );
    broker.on(event as 'Page.frameStoppedLoading', (params, { frame }) => void found.push([params, frame]));
    return found;
  }

  it.each(Object.entries(NAMING))('%s comes from the session of the frame, or not at all', (event, naming) => {
    const found = heard(event);
    for (const frameId of ['main', 'near']) say('A', event, naming(frameId));
    say('P', event, naming('ad')); // may come later: then it is true
    if (event !== 'Page.frameDetached') expect(found).toEqual([]);
    say('A', event, naming('ad'));
    expect(found.at(-1)).toEqual([naming('ad'), idOf('ad') < 0 ? expect.any(Number) : idOf('ad')]);
    say('P', event, naming('near'));
    expect(found.at(-1)).toEqual([naming('near'), 0]);
  });

  it.each(Object.entries(DETAIL))('%s comes from others, too, without the name of the frame', (event, naming) => {
    const found = heard(event);
    const isOfPage = event.startsWith('Page.');
    if (isOfPage) for (const frameId of ['main', 'ad']) say('A', event, naming(frameId));
    expect([found, faults]).toEqual([[], isOfPage ? ['foreign-frame'] : []]);
    say(isOfPage ? 'P' : 'A', event, naming(isOfPage ? 'ad' : 'main'));
    say('P', event, naming('ad'));
    expect(found.map(([params]) => params)).toEqual(
      [naming('x'), naming('x')].map((each) => ({ ...each, frameId: undefined })),
    );
    say('P', event, naming('near'));
    expect(found.at(-1)).toEqual([naming('near'), 0]);
  });

  it('of a frame that comes back are heard once the browser has said so', () => {
    const found = heard('CSS.styleSheetAdded');
    const added = NAMING['CSS.styleSheetAdded']?.('ad') ?? {};
    say('P', 'CSS.styleSheetAdded', added);
    expect(found).toEqual([]);
    detach('P', 'A');
    expect(found).toEqual([[added, 0]]);
    expect(faults).toEqual([]);
  });

  it('of a target that is no frame of the tab are not heard', () => {
    const found = heard('Page.frameStoppedLoading');
    attach('A', 'X', 'main', 'ad'); // for a frame of another session
    attach('A', 'Y', 'new', 'nowhere');
    for (const on of ['X', 'Y']) say(on, 'Page.frameStoppedLoading', { frameId: 'unknown' });
    expect(found).toEqual([]);
  });

  it('that name none are about the frames of their session', () => {
    const broker = new TabCdp(sessions, frames).of(
      'test',
      [],
      (undo) => undo,
      () => undefined,
    );
    expect(broker.framesOf({ frame: 0 })).toEqual(['main', 'near'].map(idOf));
    expect(broker.framesOf({ frame: idOf('ad') })).toEqual([idOf('ad')]);
    expect(broker.framesOf({ frame: 99 })).toEqual([]);
  });
});

it('follows a page whose main frame is swapped for a prerendered one', () => {
  navigated('P', 'main2', `${BANK}/2`);
  context('P', 12, 'main2');
  expect([frames.frameOf('main2'), worldOf('main2'), frames.frameOf('main')]).toEqual([1, 'P-12', undefined]);
});
