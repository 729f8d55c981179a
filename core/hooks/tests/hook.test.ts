import { describe, expect, it } from 'vitest';
import { notifyHook } from '../hook.ts';
import type { HookFault } from '../hook.ts';

function recorder(): { faults: string[]; onFault: HookFault } {
  const faults: string[] = [];
  return { faults, onFault: (fault, hook, plugin) => faults.push(`${hook} ${plugin} ${fault.message}`) };
}

describe('notify hooks', () => {
  it('run taps by stage and go on when one throws', () => {
    const { faults, onFault } = recorder();
    const hook = notifyHook<string>('ready', onFault);
    const order: string[] = [];
    hook.tap('c', () => void order.push('c'), { stage: 'last' });
    hook.tap('bad', () => {
      throw new Error('broken');
    });
    hook.tap('b', () => void order.push('b'));
    hook.tap('a', () => void order.push('a'), { stage: 'first' });
    hook.tap('before-b', () => void order.push('before-b'), { before: ['b'] });
    hook.call('now');
    expect(order).toEqual(['a', 'before-b', 'b', 'c']);
    expect(faults).toEqual(['ready bad broken']);
  });

  it('forget a tap that is undone, between calls too', () => {
    const hook = notifyHook<number>('tick', recorder().onFault);
    const seen: number[] = [];
    const undo = hook.tap('a', (n) => void seen.push(n));
    hook.call(1);
    undo();
    hook.call(2);
    expect(seen).toEqual([1]);
  });

  it('call each tap once that there was when the call began', () => {
    const hook = notifyHook<number>('tick', recorder().onFault);
    const order: string[] = [];
    hook.tap('b', (n) => {
      order.push(`b${n}`);
      if (n === 1) hook.tap('a', (m) => void order.push(`a${m}`), { stage: 'first' });
    });
    hook.tap('c', (n) => void order.push(`c${n}`));
    hook.call(1);
    hook.call(2);
    expect(order).toEqual(['b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('report rejections', async () => {
    const { faults, onFault } = recorder();
    const fired = notifyHook<void>('fire', onFault);
    fired.tap('late', () => Promise.reject(new Error('never')));
    fired.call();
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toEqual(['fire late never']);
  });
});

it('no hook makes code out of strings, which the shell forbids', () => {
  const original = globalThis.Function;
  globalThis.Function = (() => {
    throw new Error('eval');
  }) as unknown as FunctionConstructor;
  try {
    const hook = notifyHook<void>('x', recorder().onFault);
    hook.tap('a', () => undefined);
    expect(() => hook.call()).not.toThrow();
  } finally {
    globalThis.Function = original;
  }
});
