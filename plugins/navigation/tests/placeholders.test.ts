import { describe, expect, it } from 'vitest';
import { start } from './page-history.ts';

describe('a page without an address of its own', () => {
  it('[M-011] reloads the blank page that the person has opened', async () => {
    const { ask } = await start({ url: 'about:blank' });
    expect(await ask({ kind: 'reload' })).toEqual([['Page.reload', undefined]]);
  });

  it.each([
    ['/__blob/https/site.test/0f-1', 'blob:https://site.test/0f-1'],
    ['/__blob/null/0f-1', 'blob:null/0f-1'],
    ['/__blank', 'about:blank'],
    ['/mpa/app/__blank#x', 'about:blank'],
  ])('[M-011] leads to a page without an address of its own by its path: %s', async (path, url) => {
    const { ask } = await start();
    expect(await ask({ kind: 'address', url: path })).toEqual([['Page.navigate', { url }]]);
    expect((await ask({ kind: 'entry', entry: 1, url })).slice(1)).toEqual([['Page.navigate', { url }]]);
  });

  it('[M-011] is opened by its address from an entry of another browser', async () => {
    const { ask } = await start();
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x'])
      expect(await ask({ kind: 'entry', entry: 1, url }), url).toEqual([]);
    expect(await ask({ kind: 'entry', entry: 1, url: 'blob:https://site.test/0f-1' })).toEqual([
      ['Page.navigate', { url: 'blob:https://site.test/0f-1' }],
    ]);
  });
});
