import { expect, it } from 'vitest';
import { mayClaim } from '../host/relying-party.ts';

it.each([
  ['https://example.com', 'example.com', true],
  ['https://login.example.com:8443', 'example.com', true],
  ['https://login.example.com', 'login.example.com', true],
  ['http://localhost:8080', 'localhost', true],
  ['http://a.localhost', 'a.localhost', true],
  ['https://example.x', 'example.x', true],
  ['ftp://localhost', 'localhost', false],
  ['https://_a.example.com', 'example.com', false],
  ['https://example.a_', 'example.a_', false],
  ['https://example.com', 'login.example.com', false],
  ['https://example.com', 'other.com', false],
  ['https://badexample.com', 'example.com', false],
  ['https://login.example.com', 'com', false],
  ['https://login.example.com', '.example.com', false],
  ['https://login.example.com', 'EXAMPLE.com', false],
  ['https://login.example.com', '', false],
  ['http://example.com', 'example.com', false],
  ['https://127.0.0.1', '127.0.0.1', false],
  ['https://[::1]', '[::1]', false],
  ['https://127.0.0.1', '0.1', false],
  ['https://example.com/path', 'example.com', false],
  ['null', 'null', false],
  ['chrome-extension://abc', 'abc', false],
])(
  'an origin may claim its own host and its parent domains, where that is possible: %s, %s: %j',
  (origin, rpId, may) => {
    expect(mayClaim(origin, rpId)).toBe(may);
  },
);
