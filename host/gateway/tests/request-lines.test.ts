import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestLines } from '../request-lines.ts';

it('logs as many lines as a person, and a network address, may cause, and counts the others', () => {
  let logged = 0;
  const dropped: string[] = [];
  const lines = new RequestLines({ fault: (from, code) => void dropped.push(`${from} ${code}`) });
  const log = { info: () => (logged += 1), error: () => (logged += 1) };
  /** Writes a line for each of so many people. */
  const write = (people: number, address: string | undefined, message = 'x'.repeat(1000)): number => {
    const before = logged;
    for (let person = 0; person < people; person += 1) {
      const request = { log, address, person: { subject: people === 1 ? 'anna' : `person ${logged} ${person}` } };
      lines.write(request as unknown as FastifyRequest, 'info', { code: 'x' }, message); // all that is read of it
    }
    return logged - before;
  };
  let own = 0;
  for (let count = 0; count < 2000; count += 1) own += write(1, '203.0.113.1');
  expect(own).toBeGreaterThan(100);
  expect(own).toBeLessThan(1000); // 256 KiB
  // People are made by new cookies: those of one address, and of this machine, have a share together.
  for (const address of ['203.0.113.2', undefined]) {
    const all = write(10_000, address);
    expect(all).toBeGreaterThan(own);
    expect(all).toBeLessThan(5000);
  }
  expect(new Set(dropped)).toEqual(new Set(['client lines-dropped']));
  expect(dropped).toHaveLength(22_000 - logged);
});

it('logs errors with their stacks, and those that come before there is a person', () => {
  const logged: unknown[] = [];
  const lines = new RequestLines({ fault: () => undefined });
  const request = { log: { error: (...line: unknown[]) => logged.push(line) } };
  const err = new Error('broken');
  lines.write(request as unknown as FastifyRequest, 'error', { err }, 'request failed'); // all that is read of it
  expect(logged).toEqual([[{ err }, 'request failed']]);
});

describe('the size of a line', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] })); // time gives nothing back
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['500 characters of a longer text, its data, and 150 bytes', { code: 'x' }, 'x'.repeat(1000), 395],
    ['a short text', { code: 'x' }, 'xx', 1598],
    ['the stack of an error', { err: Object.assign(new Error('x'), { stack: 's'.repeat(848) }) }, 'xx', 262],
    ['the message of an error without one', { err: withoutStack('m'.repeat(848)) }, 'xx', 262],
  ])('is that of %s', (_, data, message, count) => {
    const texts: string[] = [];
    const log = { error: (_data: object, text: string) => texts.push(text) };
    const lines = new RequestLines({ fault: () => undefined });
    const request = { log, address: '203.0.113.1', person: { subject: 'anna' } };
    for (let n = 0; n < 2000; n += 1) lines.write(request as unknown as FastifyRequest, 'error', data, message); // all that is read of it
    expect(texts).toEqual(new Array<string>(count).fill(message.slice(0, 500)));
  });
});

function withoutStack(message: string): Error {
  const error = new Error(message);
  delete error.stack;
  return error;
}
