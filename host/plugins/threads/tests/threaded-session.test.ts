import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { inPieces, patterned } from '../../../../core/protocol/bodies/tests/carrier-pair.ts';
import { AppError, toAppError } from '../../../../core/protocol/errors.ts';
import { bytesOf, runSession } from './session-folder.ts';
import { sessionTab } from './test-session.ts';

const undos: (() => void)[] = [];
afterEach(() => {
  for (const undo of undos.splice(0).reverse()) undo();
});

/** The text of a file of routes with one route, whose handler is given. */
const routes = (handler: string, more = ''): string => `
${more}
const text = (value) => ({ type: 'text/plain; charset=utf-8', body: new TextEncoder().encode(value) });
export const routes = { 'POST /r/probe': ${handler} };`;
const ONE = ['POST /r/probe'];
const post = { method: 'POST' } as const;
const start = (handler: string, more?: string, deadlineMs?: number) =>
  runSession(undos, { routes: routes(handler, more) }, ONE, deadlineMs);

describe('a session half in a thread', () => {
  it('has options, counters and event files of its plugin, as its routes have', async () => {
    const session = `
      export const activateSession = ({ options, records }) => {
        records.count('starts');
        records.append('modes', { mode: options.mode });
      };`;
    const file = routes('(request, { options, records }) => { records.count("asked", 2); return text(options.mode); }');
    const running = await runSession(undos, { session, routes: file }, ONE);
    expect(await running.text('/r/probe', post)).toBe('strict');
    expect(running.recorded).toEqual([
      ['starts', 1],
      ['modes', { mode: 'strict' }],
      ['asked', 2],
    ]);
  });

  it('hears at once what is wrong with a record', async () => {
    const file = routes(
      '(request, { records }) => { try { records.count("refused"); } catch ({ code }) { return text(code); } }',
    );
    const running = await runSession(undos, { routes: file }, ONE);
    expect(await running.text('/r/probe', post)).toBe('not-declared');
  });

  it('has the session, its tabs and the moments of the browser, and shares its modules with the routes', async () => {
    const session = `
      import { AppError } from 'vitrine/host';
      export const seen = [];
      export const activateSession = ({ session, surrogate, plugin, log }) => {
        log.info(plugin.id + ' for ' + session.person + ' ' + session.cid);
        session.onOpened((tab) => seen.push('opened ' + tab.url()));
        session.onClosed((tab) => seen.push('closed ' + tab.url()));
        surrogate.onRenewed(() => seen.push('renewed'));
      };`;
    const file = `
      import { seen } from './session.ts';
      const text = (value) => ({ type: 'application/json', body: new TextEncoder().encode(JSON.stringify(value)) });
      export const routes = {
        'GET /r/probe': () => text(seen),
        'GET /r/probe/tabs': async (request, { session }) => text([
          await session.tabs()[0].originOf(3),
          session.policy().pictures,
          ...session.tabs().map((tab) => [tab.id, tab.url(), tab.isShown(), tab.frames(), tab.gesture.isActive(), tab.gesture.actedAt < 0]),
        ]),
      };`;
    const running = await runSession(undos, { session, routes: file }, ['GET /r/probe', 'GET /r/probe/tabs']);
    const [one, two] = [sessionTab('one', 'https://one.test/'), sessionTab('two', 'https://two.test/')];
    running.opened(one);
    running.opened(two);
    running.closed(one);
    running.renew();
    await expect
      .poll(async () => JSON.parse(await running.text('/r/probe')) as unknown)
      .toEqual(['opened https://one.test/', 'opened https://two.test/', 'closed https://one.test/', 'renewed']);
    expect(JSON.parse(await running.text('/r/probe/tabs'))).toEqual([
      'https://frame-3.test',
      'as-is',
      ['two', 'https://two.test/', true, [], false, true],
    ]);
    expect(running.lines).toContain('probe for anna cid');
    expect(running.faults).toEqual([]);
  });

  it('is refused what reaches past its plugin, and told why', async () => {
    const session = `
      export const tried = [];
      export const activateSession = async ({ surrogate, services }) => {
        const attempts = [
          () => surrogate.openExtensionPage('x.html'),
          () => surrogate.setPermission('https://one.test', 'geolocation', 'granted'),
          () => surrogate.tabsInWindow(1),
          () => surrogate.onExtensionCall(async () => 1),
          () => services.provide({ name: 'probe.it' }, {}),
          () => services.get({ name: 'print.jobs' }),
        ];
        for (const attempt of attempts)
          try { await attempt(); tried.push('had'); } catch ({ code, message }) { tried.push(code + ': ' + message); }
        tried.push(String(services.find({ name: 'x' })));
      };`;
    const file = `
      import { tried } from './session.ts';
      export const routes = { 'GET /r/probe': () => ({ type: 'application/json', body: new TextEncoder().encode(JSON.stringify(tried)) }) };`;
    const running = await runSession(undos, { session, routes: file }, ['GET /r/probe']);
    const tried = JSON.parse(await running.text('/r/probe')) as string[];
    expect(tried.map((each) => each.split(':')[0])).toEqual([
      'not-permitted',
      'not-permitted',
      'not-permitted',
      'not-permitted',
      'no-service',
      'no-service',
      'undefined',
    ]);
    expect(tried[0]).toContain('surrogate.openExtensionPage is not given to plugins from outside: a page of our');
  });

  it('that cannot be activated is reported and undone, and its routes do not answer', async () => {
    const session = `export const activateSession = () => { throw new Error('no'); };`;
    const running = await runSession(undos, { session, routes: routes('() => text("here")') }, ONE);
    expect(running.faults.map(({ message }) => message)).toEqual(['no']);
    await expect(running.ask('/r/probe', post)).rejects.toMatchObject({ code: 'plugin-unavailable', retryable: true });
  });
});

describe('a route in a thread', () => {
  it('gets the request and its context, and answers with head and body', async () => {
    const running = await start(`({ method, path, query, contentType }, context) => {
      const tab = context.tab({ cid: query.cid, rid: 'rid', tabId: 'one' });
      const value = [method, path, contentType, tab.url(), tab.service({ name: 'x' })].join(' ');
      return { ...text(value), status: 201, filename: 'a b.txt' };
    }`);
    running.tabs.push(sessionTab('one', 'https://one.test/'));
    const request = { ...post, query: { cid: 'cid' }, contentType: 'a/b' };
    const { body, ...head } = await running.ask('/r/probe', request);
    expect(head).toEqual({ status: 201, type: 'text/plain; charset=utf-8', filename: 'a b.txt' });
    expect(String(await bytesOf(body))).toBe('POST /r/probe a/b https://one.test/ ');
    await expect(running.ask('/r/probe', { ...post, query: { cid: 'other' } })).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });

  it('carries bodies both ways, byte for byte, through the service half too', async () => {
    const running = await start(
      `async ({ body, query }, { service }) => {
        const answer = query.how === 'service' ? (await service.call(echo, 1, { body })).body : body;
        return { type: 'application/octet-stream', body: answer };
      }`,
      `import { serviceMethod } from 'vitrine/host';
       import * as v from 'vitrine/protocol/schema';
       const echo = serviceMethod('echo', { params: v.number(), result: v.number() });`,
    );
    const bytes = patterned(4_000_000, 3);
    for (const how of ['directly', 'service']) {
      const { body } = await running.ask('/r/probe', { ...post, query: { how }, body: inPieces(bytes, 70_000) });
      expect(Buffer.compare(await bytesOf(body), bytes)).toBe(0);
    }
    expect(running.faults).toEqual([]);
  });

  it('is sent, and sends, no more than a window ahead of whoever reads', async () => {
    const running = await start(
      `async ({ query, body, signal }) => {
        if (query.what === 'sent') return text(String(sent));
        async function* endless() {
          try { for (;;) { sent += 65536; yield new Uint8Array(65536); } } finally { sent = -1; }
        }
        return { type: 'application/octet-stream', body: endless() };
      }`,
      'let sent = 0;',
    );
    let asked = 0;
    let isLeft = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array((asked += 65_536) && 65_536);
      } finally {
        isLeft = true;
      }
    }
    const sent = async (): Promise<number> =>
      Number(await running.text('/r/probe', { ...post, query: { what: 'sent' } }));
    const { body } = await running.ask('/r/probe', { ...post, body: source() });
    const pieces = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await pieces.next();
    await delay(500);
    expect(asked).toBeLessThan(2 * 1024 * 1024);
    const ahead = await sent();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(2 * 1024 * 1024);
    await pieces.return?.();
    await expect.poll(sent).toBe(-1);
    await expect.poll(() => isLeft).toBe(true);
    expect(running.faults).toEqual([]);
  });

  it('has its own codes, and statuses for them', async () => {
    const session = `export const activateSession = () => {};`;
    const file = routes(
      `({ query }) => { throw query.how === 'own' ? new AppError('probe-full', 'It is full.', { retryable: true }) : new Error('secret'); }`,
      `import { AppError } from 'vitrine/host'; export const errors = { 'probe-full': 507 };`,
    );
    const running = await runSession(undos, { session, routes: file }, ONE);
    const own = { ...post, query: { how: 'own' } };
    await expect(running.ask('/r/probe', own)).rejects.toMatchObject({ code: 'probe-full', retryable: true });
    await expect(running.ask('/r/probe', post)).rejects.toMatchObject({ code: 'internal' });
    expect(running.faults).toEqual([]);
    const manifest = { id: 'probe' } as never; // as much as is asked for
    expect(running.plugins.routesOf({ manifest, folder: '', external: true }).errors).toEqual({ 'probe-full': 507 });
  });

  it('is told when nobody waits any more, and what it answers then is dropped', async () => {
    const running = await start(
      `async ({ query, signal }) => {
        if (query.what === 'state') return text(state);
        state = 'waiting';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        state = 'aborted ' + signal.reason.code;
        return text('too late');
      }`,
      `let state = '';`,
    );
    const state = () => running.text('/r/probe', { ...post, query: { what: 'state' } });
    const gone = new AbortController();
    const asked = running.ask('/r/probe', { ...post, signal: gone.signal });
    const refused = expect(asked).rejects.toMatchObject({ code: 'request-closed' });
    await expect.poll(state).toBe('waiting');
    gone.abort(new AppError('request-closed', 'gone'));
    await refused;
    await expect.poll(state).toBe('aborted request-closed');
    await expect(running.ask('/r/probe', { ...post, signal: gone.signal })).rejects.toMatchObject({
      code: 'request-closed',
    });
    expect(running.faults).toEqual([]);
  });

  it('that does not answer, or stops in its answer, is not waited for', async () => {
    const running = await start(
      `async ({ query, signal }) => {
        if (query.how === 'never') return new Promise(() => {});
        if (query.how === 'over') return text(String(over));
        signal.addEventListener('abort', () => (over += 1));
        async function* some() {
          yield new Uint8Array(10);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        }
        return { type: 'application/zip', body: some() };
      }`,
      'let over = 0;',
      400,
    );
    const how = (query: string) => running.ask('/r/probe', { ...post, query: { how: query } });
    await expect(how('never')).rejects.toMatchObject({ code: 'route-timeout' });
    // A slow machine may not have begun to answer in time: then it is asked again.
    let asks = 0;
    const stops = async (): ReturnType<typeof how> => {
      asks += 1;
      try {
        return await how('stop');
      } catch (thrown) {
        if (toAppError(thrown).code !== 'route-timeout' || asks === 20) throw thrown;
        return stops();
      }
    };
    await expect(bytesOf((await stops()).body)).rejects.toMatchObject({ code: 'route-timeout' });
    await expect.poll(async () => Number(await bytesOf((await how('over')).body))).toBe(asks);
    expect(running.faults).toEqual([]);
  });

  it.each([
    ['no answer', 'undefined'],
    ['no type', '{ body: new Uint8Array(1) }'],
    ['a document', `{ type: 'text/html', body: new Uint8Array(1) }`],
    ['another status', `{ ...text(''), status: 302 }`],
    ['a path for a name', `{ ...text(''), filename: '../x' }`],
    ['a header for a name', `{ ...text(''), filename: 'x"\\r\\nset-cookie: a' }`],
    ['no body', `{ type: 'application/zip' }`],
    ['a body of something else', `{ type: 'application/zip', body: { length: 3 } }`],
  ])('that answers with %s fails by itself', async (_what, answer) => {
    const running = await start(`({ query }) => query.how === 'well' ? text('well') : (${answer})`);
    await expect(running.ask('/r/probe', post)).rejects.toBeInstanceOf(AppError);
    expect(await running.text('/r/probe', { ...post, query: { how: 'well' } })).toBe('well');
  });

  it('that throws in its answer, or sends no bytes, ends the body with its error', async () => {
    const running = await start(
      `({ query }) => ({ type: 'application/zip', body: query.how === 'well' ? new Uint8Array(3) : broken(query.how) })`,
      `async function* broken(how) {
        yield new Uint8Array(10);
        if (how === 'text') yield 'text';
        throw new Error('broken');
      }`,
    );
    for (const how of ['throws', 'text']) {
      const { body } = await running.ask('/r/probe', { ...post, query: { how } });
      await expect(bytesOf(body)).rejects.toBeInstanceOf(AppError);
    }
    expect(await running.text('/r/probe', { ...post, query: { how: 'well' } })).toBe('\0\0\0');
  });

  it.each([
    ['throws outside of a handler', 'plugin-crashed', 'setTimeout(() => { throw new Error("late"); })'],
    ['hangs', 'plugin-hung', 'for (;;);'],
    ['floods', 'plugin-flood', 'for (;;) log.info("x")'],
    ['sends one thing that is too much', 'plugin-flood', 'log.info("x".repeat(40_000_000))'],
    [
      'fills its memory',
      'plugin-(memory|hung|crashed)',
      'const all = []; for (;;) all.push(new Array(100_000).fill(all.length))',
    ],
  ])('that %s in mid-stream is ended with its answer, and the session goes on', async (_what, code, deed) => {
    const session = `export let log; export const activateSession = (scope) => { log = scope.log; };`;
    const file = routes(
      `({ query }) => ({ type: 'application/zip', body: broken() })`,
      `import { log } from './session.ts';
       async function* broken() { yield new Uint8Array(100_000); ${deed}; await new Promise(() => {}); }`,
    );
    const running = await runSession(undos, { session, routes: file }, ONE);
    const { body } = await running.ask('/r/probe', post);
    await expect(bytesOf(body)).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
    await expect.poll(() => running.faults.map((fault) => fault.code)).toEqual([expect.stringMatching(code)]);
    await expect(running.ask('/r/probe', post)).rejects.toMatchObject({ code: 'plugin-unavailable' });
  });

  it('that is ended before it answers has its callers told so', async () => {
    const running = await start(
      `() => { setTimeout(() => { throw new Error('late'); }); return new Promise(() => {}); }`,
    );
    const asked = [running.ask('/r/probe', post), running.ask('/r/probe', post)];
    for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'plugin-unavailable', retryable: true });
  });
});
