import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Kernel } from '../../contracts/kernel.ts';
import { message } from '../../protocol/message.ts';
import { Bus } from '../bus.ts';
import { createPageScope } from '../scope.ts';

const ask = message('mine.ask', { direction: 'host-to-page', params: v.object({}) });

it('reports which page half threw, in a handler of its messages and in a listener', () => {
  const received: (string | undefined)[] = [];
  const bus = new Bus([], (_fault, owner) => void received.push(owner));
  bus.know([ask], 'mine');
  const listeners: (() => void)[] = [];
  const line = { send: () => false, on: () => () => undefined };
  const kernel = {
    onFlush: (collect: () => void) => {
      listeners.push(collect);
      return () => undefined;
    },
  } as Partial<Kernel> as Kernel; // the members that the half below uses
  const { scope, dispose } = createPageScope(
    'mine',
    bus.endpoint,
    { kernel, line },
    () => void received.push('mine, listening'),
  );
  scope.commands.handle(ask, () => {
    throw new Error('handled');
  });
  scope.kernel.onFlush(() => {
    throw new Error('flushed');
  });
  bus.receive(JSON.stringify(['mine.ask', {}]));
  for (const flush of listeners) flush();
  expect(received).toEqual(['mine', 'mine, listening']);
  dispose();
});
