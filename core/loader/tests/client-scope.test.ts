import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Reporter } from '../../events/reporter.ts';
import { openClientScope } from '../client-scope.ts';
import type { ClientServices } from '../client-scope.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('[S-159] events of plugins name their plugin, and are sent once for each name unless forced', () => {
  const events = new Reporter({
    call: () => Promise.resolve({}),
    facts: { build_id: 'b1', tc_api: 1, user_agent: 'agent', host: 'vitrine.test' },
    url: () => 'https://site.test/',
  });
  const services = { of: () => ({}) };
  const core = { events, services, slotsOf: () => ({}), storageOf: () => ({}) } as unknown as ClientServices; // all that reports need
  const { scope } = openClientScope(core, { id: 'probe', version: '1.0.0', variant: 'default' });
  for (const n of [1, 2]) {
    scope.events.report('tc-once', { n });
    scope.events.report('tc-each', { n }, { level: 'warning', force: true });
  }
  const sent: string[] = [];
  events.leave((_path, body) => sent.push(body));
  const of = { plugin: 'probe', version: '1.0.0', variant: 'default' };
  expect(JSON.parse(sent[0] ?? '')).toMatchObject({
    items: [
      { event: 'tc-once', level: 'info', data: { ...of, n: 1 } },
      { event: 'tc-each', level: 'warning', data: { ...of, n: 1 } },
      { event: 'tc-each', level: 'warning', data: { ...of, n: 2 } },
    ],
  });
});
