import { expect, it } from 'vitest';
import { isOpenable } from '../base/addresses.ts';

it.each([
  ['http://site.example/', true],
  ['https://site.example./a', true],
  ['http://127.0.0.1:80/', true],
  ['http://[::1]/', true],
  ['about:blank', true],
  ['https://evil.example../', false],
  ['https://evil.example.../', false],
  ['https://evil%2e%2e/', false],
  ['https://.evil.example/', false],
  ['ftp://site.example/', false],
  ['data:text/html,x', false],
  ['blob:https://site.example/0f-1', true],
  ['blob:null/0f-1', true],
  ['blob:https://evil.example../0f-1', false],
  ['blob:file:///etc/passwd', false],
  ['blob:blob:https://site.example/1', false],
  ['blob:x', false],
])('a tab opens pages of hosts that can be reached: %s', (address, isOpened) => {
  expect(isOpenable(address)).toBe(isOpened);
});
