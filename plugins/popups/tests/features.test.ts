import { describe, expect, it } from 'vitest';
import { featureJson, featureString } from '../features.ts';
import { Denials } from '../host/denials.ts';
import { WindowCalls } from '../host/window-calls.ts';

describe('features of a window', () => {
  it.each([
    [['left=10', 'top=-20', 'width=300', 'height=200'], 'width=300,height=200,left=10,top=-20,location=0'],
    [['width=100', 'resizable', 'noopener'], 'width=100,location=0,resizable=1'],
    [['menubar', 'toolbar', 'status', 'scrollbars', 'resizable', 'noopener'], ''], // a tab
    [['resizable'], 'location=0,resizable=1'], // `popup`
    [['WIDTH=1', 'x=1;alert(1)', 'innerWidth=5', 'unknown', '__proto__'], 'location=0'],
  ])('[M-024] reach the person’s browser as far as they are listed: %j', (list, features) => {
    expect(featureString(featureJson(list))).toBe(features);
  });

  it('[M-024] are these eleven, each with its value', () => {
    const flags = ['menubar', 'toolbar', 'location', 'status', 'fullscreen', 'scrollbars', 'resizable'];
    const sizes = { width: 300, height: 200, left: -5, top: 10 };
    const bars = Object.fromEntries(flags.map((name, nth) => [name, nth % 2 === 0]));
    const given: Readonly<Record<string, number | boolean>> = { ...sizes, ...bars };
    const others = { opener: true, popup: true, alwaysRaised: true, outerWidth: 5, screenX: 5 };
    const values = Object.entries(given).map(([name, value]) => `${name}=${Number(value)}`);
    expect(featureString(JSON.stringify({ ...others, ...given })).split(',')).toEqual(values);
  });

  it.each([
    '',
    '{',
    '[]x',
    'null',
    '"width=1"',
    '{"width":"1"}',
    '{"width":-1}',
    '{"height":1e9}',
    '{"left":1.5}',
    '{"location":1}',
  ])('[M-024] are invalid: %s', (json) => {
    expect(() => featureString(json)).toThrow();
  });

  it('[M-024] of a hostile renderer are bounded', () => {
    const list = Array.from({ length: 10_000 }, (_each, n) => `f${'abcdefghij'[n % 10]!}${'x'.repeat(n % 18)}=1`);
    const json = featureJson([...list, 'width=99999999999', 'a'.repeat(1e6)]);
    expect(json.length).toBeLessThan(1000);
    expect(featureString(json)).toBe('location=0');
  });
});

describe('what the person has denied', () => {
  it('[M-049] is remembered by its path alone', () => {
    const denials = new Denials();
    denials.add('https://a.test', 'https://b.test/x/y?1#2');
    for (const again of ['https://b.test/x/y', 'https://b.test/x/y?2', 'https://b.test/x/y#3'])
      expect(denials.has('https://a.test', again)).toBe(true);
    for (const other of ['https://b.test/x', 'https://b.test/x/y/', 'https://c.test/x/y'])
      expect(denials.has('https://a.test', other)).toBe(false);
  });

  it('[M-048] ends the requests of an origin that goes on asking, not those of others', () => {
    const denials = new Denials();
    for (const n of [1, 2, 3]) denials.add('https://a.test', `https://b.test/${n}`);
    expect(denials.has('https://a.test', 'https://b.test/4')).toBe(true);
    expect(denials.has('https://c.test', 'https://b.test/4')).toBe(false);
  });

  it('[M-049] is bounded: the oldest is forgotten', () => {
    const denials = new Denials();
    for (let n = 0; n < 1000; n += 1) denials.add(`https://${n}.test`, `https://b.test/${n}`);
    expect(denials.has('https://x.test', 'https://b.test/0')).toBe(false);
    expect(denials.has('https://x.test', 'https://b.test/900')).toBe(true);
  });
});

it('[M-023] a window is matched with its call by the address, else with one that had none', () => {
  const calls = new WindowCalls();
  const origin = Promise.resolve('https://site.test');
  const call = (url: string) => ({ url, features: [url], id: undefined, origin });
  for (const url of ['https://a.test/1', 'about:blank', 'https://a.test/2']) calls.add(call(url));
  expect(calls.take('https://a.test/2')).toMatchObject(call('https://a.test/2'));
  expect(calls.take('https://b.test/')).toMatchObject(call('about:blank'));
  expect(calls.take('https://b.test/')).toBeUndefined();
  for (let n = 0; n < 1000; n += 1) calls.add(call(`https://c.test/${n}`));
  expect(calls.take('https://a.test/1')).toBeUndefined(); // a page that floods loses features, nothing else
});
