import { expect, it } from 'vitest';
import { AppError } from '../../../host/plugin.ts';
import type { RouteContext, RouteRequest } from '../../../host/plugin.ts';
import { printTurnToken } from '../host/page-printer.ts';
import { routes } from '../host/routes.ts';

const QUERY = { cid: 'c', rid: 'r', tab_id: 't', page_url: 'https://a.test/?b', mpa_id: 'm', cl: '1' };
const PDF = Buffer.from('%PDF-1.4');

/** Asks for a document of a tab that a test plays, and returns what came of it. */
async function ask(query: object, { mayPrint = true, fails = false, isBusy = false } = {}) {
  const heard: unknown[] = [];
  const turn = {
    take: () => {
      if (isBusy) throw new AppError('print-busy', 'busy', { retryable: true });
      heard.push('taken');
      return () => void heard.push('given back');
    },
  };
  const printer = {
    print: async (options: object) => {
      heard.push(options);
      if (fails) throw new AppError('page-left', 'left');
      return PDF;
    },
  };
  const context = {
    services: { get: (token: unknown) => (token === printTurnToken ? turn : undefined) },
    tab: (of: object) => {
      heard.push(of);
      return { service: () => (mayPrint ? printer : undefined) };
    },
  };
  const request = { query } as Partial<RouteRequest>;
  const answer = routes['GET /r/print']!(request as RouteRequest, context as unknown as RouteContext); // all that is used of them
  return { answer: await Promise.resolve(answer).catch((thrown: unknown) => thrown), heard };
}

const TAB = { cid: 'c', rid: 'r', tabId: 't' };

it('[R-079] [R-081] a document of the tab that is named is made by the other parts of the query, one at a time', async () => {
  const { answer, heard } = await ask({ ...QUERY, scale: '50', layout: 'landscape' });
  expect(answer).toEqual({ type: 'application/pdf', filename: 'page.pdf', body: PDF });
  expect(heard).toEqual([TAB, 'taken', { scale: '50', layout: 'landscape' }, 'given back']);
  const { cid, rid, tab_id, page_url } = QUERY;
  expect((await ask({ cid, rid, tab_id, page_url })).heard).toEqual([TAB, 'taken', {}, 'given back']);
});

it('the turn is given back where the page cannot be printed, and not taken where another has it', async () => {
  const failed = await ask(QUERY, { fails: true });
  expect(failed.answer).toMatchObject({ code: 'page-left' });
  expect(failed.heard).toEqual([TAB, 'taken', {}, 'given back']);
  const busy = await ask(QUERY, { isBusy: true });
  expect(busy.answer).toMatchObject({ code: 'print-busy' });
  expect(busy.heard).toEqual([TAB]);
});

it('a tab that prints nothing is refused, and so is a query that names none', async () => {
  const refused = await ask(QUERY, { mayPrint: false });
  expect(refused.answer).toMatchObject({ code: 'policy-refused' });
  expect(refused.heard).toEqual([TAB]);
  const { page_url: _left, ...without } = QUERY;
  for (const query of [{}, without, { ...QUERY, cid: 'c'.repeat(201) }, { ...QUERY, rid: ['r', 'r'] }]) {
    const { answer, heard } = await ask(query);
    expect([answer, heard]).toMatchObject([{ code: 'bad-message' }, []]);
  }
});
