import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, it } from 'vitest';
import { hostLog } from '../base/host-log.ts';
import { LOG_SERIALIZERS } from '../base/log-fields.ts';

it('[L8] the log has no id by which a session is reached, but one by which its lines are told from others', () => {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const log = hostLog(pino({ level: 'trace', serializers: LOG_SERIALIZERS }, sink));
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    log[level]('paired', {
      cid: 'SECRET',
      tab: 'SECRET',
      tab_id: 'SECRET',
      safe_rid: 'SECRET',
      token: 'SECRET',
      plugin: 'print',
    });
  log.info('another', { cid: 'OTHER', tab: 7 });
  expect(lines).toHaveLength(5);
  expect(JSON.stringify(lines)).not.toMatch(/SECRET|OTHER/);
  expect(lines[0]).toMatchObject({ cid: expect.stringMatching(/^#[\da-f]{10}$/) as string, plugin: 'print' });
  expect(new Set(lines.map(({ cid }) => cid)).size).toBe(2);
});
