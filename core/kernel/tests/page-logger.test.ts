import { expect, it } from 'vitest';
import type { Endpoint } from '../../protocol/endpoint.ts';
import { pageLog } from '../../protocol/page-messages.ts';
import { pageLogger } from '../scope.ts';

it('sends lines to the host with their data as JSON, both cut at 2000 characters', () => {
  const sent: unknown[][] = [];
  const endpoint = { send: (...given: unknown[]) => void sent.push(given) } as unknown as Endpoint; // all that it uses
  const log = pageLogger(endpoint, 'echo');
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  log.warn('plain');
  log.error('with data', { code: 'x', at: [1, 2] });
  log.info('m'.repeat(3000), { text: 't'.repeat(3000) });
  log.debug('loop', loop);
  expect(sent).toEqual([
    [pageLog, { plugin: 'echo', level: 'warn', message: 'plain' }],
    [pageLog, { plugin: 'echo', level: 'error', message: 'with data', details: '{"code":"x","at":[1,2]}' }],
    [
      pageLog,
      {
        plugin: 'echo',
        level: 'info',
        message: 'm'.repeat(2000),
        details: `{"text":"${'t'.repeat(3000)}`.slice(0, 2000),
      },
    ],
    [pageLog, { plugin: 'echo', level: 'debug', message: 'loop', details: 'data that is not JSON' }],
  ]);
});
