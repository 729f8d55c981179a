import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { languageOf } from '../language.ts';
import { texts as ar } from '../texts/ar.ts';
import { texts as de } from '../texts/de.ts';
import { texts as en } from '../texts/en.ts';
import { playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance | undefined;
afterEach(() => gateway?.close());

it('the language is the first of the browser that there are texts in', () => {
  const of = (accepted?: string): string => languageOf(accepted).language;
  expect([of(), of(''), of('fr'), of('fr-CH, de;q=0.9, en;q=0.8'), of('AR'), of('constructor')]).toEqual([
    ...['en', 'en', 'en', 'de', 'ar', 'en'],
  ]);
  expect(of(`${'fr,'.repeat(500)}de`)).toBe('en'); // that is further than anybody looks
});

it('all texts are translated, and have the same parts to fill in', () => {
  const flat = (texts: object): [string, string][] =>
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === 'object'
        ? flat(value as object).map(([of, text]) => [`${name}.${of}`, text] as [string, string])
        : [[name, String(value)] as [string, string]],
    );
  const parts = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
  const english = flat(en);
  for (const other of [flat(de), flat(ar)]) {
    expect(other.map(([name, text]) => [name, parts(text)])).toEqual(
      english.map(([name, text]) => [name, parts(text)]),
    );
    expect(other.filter(([, text], at) => text === english[at]?.[1])).toEqual([]);
  }
});

it.each([
  ['/', 'de', 'ltr', de.portal.lead],
  ['/?q=no+address', 'de', 'ltr', '„<bdi>no address</bdi>“ ist keine Webadresse.'],
  ['/?q=%3Cb%3E%24%26', 'en', 'ltr', '“<bdi>&lt;b&gt;$&amp;</bdi>”'],
  ['/not%20an%20address', 'ar', 'rtl', '«<bdi>not an address</bdi>»'],
  ['/protection', 'ar', 'rtl', ar.protection.code[0]],
  ['/protection?page=https://example.org/', 'de', 'ltr', 'Für <bdi>https://example.org/</bdi>:'],
])('the page at %s is in %s', async (path, language, direction, text) => {
  gateway = await playedGateway();
  const headers = { host: 'localhost:7700', 'accept-language': language, accept: 'text/html' };
  const { body } = await gateway.inject({ method: 'GET', url: path, headers });
  expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(body).toContain(text);
});
