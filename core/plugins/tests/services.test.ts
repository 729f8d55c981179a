import { describe, expect, it } from 'vitest';
import { token } from '../../contracts/token.ts';
import { Disposal } from '../disposal.ts';
import { ServiceRegistry } from '../services.ts';

const greeting = token<string>('demo.greeting');
const other = token<string>('demo.other');
const never = (fault: Error): never => {
  throw fault;
};

describe('services', () => {
  it('are found in a registry above, where nobody else may provide them', () => {
    const session = new ServiceRegistry();
    const tab = new ServiceRegistry(session);
    const undo = session.provide(greeting, 'hello', 'first');
    expect([tab.find(greeting), tab.get(greeting), tab.find(other)]).toEqual(['hello', 'hello', undefined]);
    expect(() => tab.provide(greeting, 'hi')).toThrow(
      expect.objectContaining({ code: 'service-taken', message: 'demo.greeting is provided by first already' }),
    );
    expect(() => tab.get(other)).toThrow(expect.objectContaining({ code: 'no-service' }));
    tab.provide(other, 'tab');
    expect(session.find(other)).toBeUndefined();
    undo();
    expect(tab.find(greeting)).toBeUndefined();
    expect(tab.names()).toEqual(['demo.other']);
  });

  it('go with the scope of their provider, and an early undo does not undo what came after it', () => {
    const registry = new ServiceRegistry();
    const [first, second] = [new Disposal(never), new Disposal(never)];
    const undo = registry.of('first', first).provide(greeting, 'hello');
    undo();
    registry.of('second', second).provide(greeting, 'hello');
    undo();
    first.dispose();
    expect(registry.find(greeting)).toBe('hello');
    second.dispose();
    expect(registry.find(greeting)).toBeUndefined();
  });
});
