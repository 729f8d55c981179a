import { expect, it } from 'vitest';
import { pageAddress } from '../../../core/session/shell/page-address.ts';
import { openedPath } from '../client/opened-path.ts';

const TOKEN = 'p'.padEnd(44, 'a-_9');

it.each([
  ['https://site.test/', '/'],
  ['http://site.test:8080/a?b=1&c#d?e#f', '/'],
  ['https://site.test/?', '/mpa/app-1/'],
  ['about:blank', '/'],
])('[M2] [S-096] the shell of a window takes its address and its token from its path: %s', (url, prefix) => {
  const address = pageAddress(new URL(openedPath(url, prefix, TOKEN), 'https://host.test'));
  expect(address).toMatchObject({ url: new URL(url).href, prefix, pid: TOKEN });
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'blob:https://site.test/1', '//site.test/', ''])(
  'a window that goes to %j has no address for the shell',
  (url) => {
    const address = pageAddress(new URL(openedPath(url, '/', TOKEN), 'https://host.test'));
    expect(address?.url).toBe('about:blank');
  },
);
