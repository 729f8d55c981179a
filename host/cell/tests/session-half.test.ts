import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import { token } from '../../../core/contracts/token.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { RoutedAnswer } from '../../contracts/link.ts';
import type { RouteErrors, Routes } from '../../contracts/routes.ts';
import type { SessionScope } from '../../contracts/session-scope.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { ANNA, BEN, browse, serveSite, startWorker } from './harness.ts';

const counterToken = token<{ next(): number }>('counter.number');
const tabToken = token<string>('counter.tab');
const manifestOf = (id: string, routes: readonly string[] = []) =>
  ({ id, version: '1.0.0', api: PLUGIN_API, description: 'x', activation: 'boot', routes }) as const;

async function textOf(answer: RoutedAnswer): Promise<string> {
  if ('code' in answer) return `${answer.status ?? ''} ${answer.code}`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a plugin with a session half and routes', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const scopes: SessionScope[] = [];
  const events: string[] = [];
  const numbers: string[] = [];

  const routes: Routes = {
    'GET /r/counter': async (_request, { services, session }) => ({
      type: 'text/plain; charset=utf-8',
      body: Buffer.from(`${session.person} ${session.tabs().length} ${services.get(counterToken).next()}`),
    }),
    'POST /r/counter/echo': async ({ body, contentType, query: { cid = '', rid = '', tab = '' } }, context) => {
      const name = context.tab({ cid, rid, tabId: tab }).service(tabToken);
      async function* answer(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(`${name} ${contentType}: `);
        for await (const chunk of body) yield chunk;
      }
      return { status: 201, type: 'application/octet-stream', body: answer() };
    },
    'GET /r/counter/fails': () => {
      throw new AppError('counter-broken', 'It is broken.');
    },
  };
  const routeErrors: RouteErrors = { 'counter-broken': 418 };
  const counter: RegisteredPlugin = {
    manifest: manifestOf('counter', Object.keys(routes)),
    folder: 'counter',
    external: false,
    routes,
    routeErrors,
    activateSession: (scope) => {
      scopes.push(scope);
      let last = 0;
      scope.services.provide(counterToken, { next: () => (last += 1) });
      scope.session.onOpened((tab) => events.push(`opened ${scope.session.person} ${new URL(tab.url()).hostname}`));
      scope.session.onClosed((tab) => events.push(`closed ${scope.session.person} ${new URL(tab.url()).hostname}`));
      scope.surrogate.onRenewed(() => events.push(`renewed ${scope.session.person}`));
      scope.onDispose(() => events.push(`over ${scope.session.person}`));
    },
    activate: ({ tab, services }) => {
      numbers.push(`${tab.person} ${services.get(counterToken).next()}`);
      services.provide(tabToken, `tab at ${new URL(tab.url()).hostname}`);
      expect(() => services.provide(counterToken, { next: () => 0 })).toThrow('is provided by counter');
    },
  };
  const broken: RegisteredPlugin = {
    manifest: manifestOf('broken'),
    folder: 'broken',
    external: false,
    activateSession: ({ onDispose }) => {
      onDispose(() => events.push('broken undone'));
      throw new Error('no session half');
    },
  };

  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>page');
    started = await startWorker({ plugins: [broken, counter] });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  const signal = new AbortController().signal;
  const get = (path: string, person = ANNA) =>
    started.worker.request(person, { method: 'GET', path, query: {} }, { signal }).then(textOf);

  it('gets no requests of people without a session', async () => {
    await expect(get('/r/counter')).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('is activated once per person, before their first tab, and is available to the halves of all tabs', async () => {
    await browse(started.worker, site.url('one.test'), ANNA);
    await browse(started.worker, site.url('two.test'), ANNA);
    await browse(started.worker, site.url('one.test'), BEN);
    expect(scopes.map(({ session }) => session.person)).toEqual(['anna', 'ben']);
    expect(numbers).toEqual(['anna 1', 'anna 2', 'ben 1']);
    expect(events).toEqual([
      'broken undone',
      'renewed anna',
      'opened anna one.test',
      'opened anna two.test',
      'broken undone',
      'renewed ben',
      'opened ben one.test',
    ]);
  });

  it('answers its routes with the services of the session of the requesting person', async () => {
    expect([await get('/r/counter'), await get('/r/counter', BEN)]).toEqual(['anna 2 3', 'ben 1 2']);
    expect(await get('/r/counter/fails')).toBe('418 counter-broken');
    expect(await get('/r/nothing')).toBe(' policy-refused');
  });

  it('receives and sends bodies as streams, with the services of a tab, for its person only', async () => {
    const { answer } = await browse(started.worker, site.url('three.test'), ANNA);
    const { cid = '', rid = '', tab_id: tab = '' } = answer;
    const post = (person = ANNA) => {
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let part = 0; part < 40; part += 1) yield Buffer.alloc(50_000, 'x');
      }
      const request = {
        method: 'POST',
        path: '/r/counter/echo',
        query: { cid, rid, tab },
        contentType: 'a/b',
      } as const;
      return started.worker.request(person, request, { signal, body: body() });
    };
    const answered = await post();
    expect(answered).toMatchObject({ status: 201, type: 'application/octet-stream' });
    expect(await textOf(answered)).toBe(`tab at three.test a/b: ${'x'.repeat(2_000_000)}`);
    expect(await textOf(await post(BEN))).toBe(' session-not-found');
  });

  it('controls a page of the extension that no site can reach, and ends with the session', async () => {
    const [anna] = scopes;
    events.splice(0);
    const page = await anna!.surrogate.openExtensionPage('manifest.json');
    expect(await page.call('(a, b) => location.protocol + (a + b)', [1, 2])).toBe('chrome-extension:3');
    await expect(page.call('() => { throw new Error("no") }', [])).rejects.toMatchObject({ code: 'script-failed' });
    await started.worker.drain('test over');
    expect(page.closed.aborted).toBe(true);
    expect(anna!.signal.aborted).toBe(true);
    expect(events.filter((event) => event.includes('anna'))).toEqual([
      'closed anna one.test',
      'closed anna two.test',
      'closed anna three.test',
      'over anna',
    ]);
  });
});
