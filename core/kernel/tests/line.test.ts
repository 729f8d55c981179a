import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../testing/script-page.ts';
import type { TestBrowser } from '../../testing/script-page.ts';
import type { LineEntry } from './line-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'line-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
});
afterEach(() => page.close());

type Entered = { readonly lineEntry: LineEntry };

it('sends texts synchronously in both directions, with a prefix per plugin, and returns false without a listener', async () => {
  const result = await page.evaluate(() => {
    const { lineToMain, lineToPage, ownLine } = (window as unknown as Entered).lineEntry;
    const received: string[] = [];
    const ours = lineToMain();
    const early = ours.send('a.early', '');
    const stop = ownLine(ours, 'a').on('ask', (text) => {
      received.push(`page ${text}`);
      ours.send('a.answer', text);
    });
    const theirs = lineToPage();
    ownLine(theirs, 'a').on('answer', (text) => void received.push(`main ${text}`));
    const sent = [ownLine(theirs, 'a').send('ask', '1'), ownLine(theirs, 'b').send('ask', '2')];
    stop();
    sent.push(ownLine(theirs, 'a').send('ask', '3'));
    return { early, received, sent };
  });
  expect(result).toEqual({ early: false, received: ['page 1', 'main 1'], sent: [true, false, false] });
});

it('cannot be observed or changed by the page once it exists', async () => {
  const result = await page.evaluate(() => {
    const { lineToMain, lineToPage } = (window as unknown as Entered).lineEntry;
    const ours = lineToMain();
    const theirs = lineToPage();
    const seen: string[] = [];
    const spy = (name: string) => (): never => {
      seen.push(name);
      throw new Error(name);
    };
    for (const type of ['vitrine-line', 'main:ask']) document.addEventListener(type, spy(type), true);
    EventTarget.prototype.addEventListener = spy('addEventListener');
    EventTarget.prototype.dispatchEvent = spy('dispatchEvent');
    Event.prototype.preventDefault = spy('preventDefault');
    Object.defineProperty(CustomEvent.prototype, 'detail', { get: spy('detail') });
    const { call } = Function.prototype;
    Function.prototype.call = spy('call');
    const received: string[] = [];
    ours.on('ask', (text) => void received.push(text));
    const sent = theirs.send('ask', 'x');
    Function.prototype.call = call; // the test itself needs it
    return { sent, received, seen };
  });
  expect(result).toEqual({ sent: true, received: ['x'], seen: [] });
});

it('intercepts a method that looks and fails as before', async () => {
  const received = await page.evaluate(() => {
    const { interceptMethod } = (window as unknown as Entered).lineEntry;
    const native = Element.prototype.hasAttribute;
    const before = Object.getOwnPropertyDescriptor(Element.prototype, 'hasAttribute');
    interceptMethod(Element.prototype, 'hasAttribute', (call) => (call.args[0] === 'held' ? 'taken' : call.native()));
    interceptMethod(Element.prototype, 'thereIsNone', () => 1);
    const now = Element.prototype.hasAttribute;
    const after = Object.getOwnPropertyDescriptor(Element.prototype, 'hasAttribute');
    const reason = (run: () => unknown): string => {
      try {
        return String(run());
      } catch (thrown) {
        return String(thrown);
      }
    };
    return {
      taken: document.body.hasAttribute('held'),
      passed: document.body.hasAttribute('class'),
      isNative: Function.prototype.toString.call(now).includes('[native code]'),
      same: [now.name === native.name, now.length === native.length, 'prototype' in now],
      flags: JSON.stringify({ ...before, value: 0 }) === JSON.stringify({ ...after, value: 0 }),
      illegal: reason(() => now.call({} as Element, 'x')) === reason(() => native.call({} as Element, 'x')),
      construct: /not a constructor/.test(reason(() => Reflect.construct(now, []))),
      none: 'thereIsNone' in Element.prototype,
    };
  });
  expect(received).toEqual({
    taken: 'taken',
    passed: false,
    isNative: true,
    same: [true, true, false],
    flags: true,
    illegal: true,
    construct: true,
    none: false,
  });
});

it('carries bytes between the page’s world and an isolated one, each with a copy of its own', async () => {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const isolated = async (expression: string): Promise<unknown> => {
    const options = { contextId: executionContextId, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, ...options });
    expect(exceptionDetails).toBeUndefined();
    return result.value;
  };
  await isolated(script);
  await isolated(`
    globalThis.received = [];
    globalThis.ours = lineEntry.lineToMain();
    ours.on('give', (text, bytes) => {
      received.push(text, bytes instanceof Uint8Array, bytes && [...bytes].join());
      bytes?.fill(9);
      ours.send('back', 'answer', new Uint8Array([7, 8]));
    });
    true`);
  const result = await page.evaluate(() => {
    const { lineToPage } = (window as unknown as Entered).lineEntry;
    const theirs = lineToPage();
    const received: unknown[] = [];
    theirs.on('back', (text, bytes) => void received.push(text, bytes instanceof Uint8Array, [...(bytes ?? [])]));
    const bytes = new Uint8Array([0, 1, 2, 3, 4]);
    const part = bytes.subarray(1, 3);
    // Has no effect on messages.
    Object.defineProperty(Object.prototype, 'bytes', { get: () => 'forged', configurable: true });
    const sent = [theirs.send('give', 'x'.repeat(3), part), theirs.send('give', 'no bytes')];
    return { received, sent, bytes: [...bytes] };
  });
  expect(result).toEqual({
    received: ['answer', true, [7, 8], 'answer', true, [7, 8]],
    sent: [true, true],
    bytes: [0, 1, 2, 3, 4],
  });
  expect(await isolated('received')).toEqual(['xxx', true, '1,2', 'no bytes', false, null]);
});
