import { expect, it } from 'vitest';
import { createMetrics } from '../metrics.ts';

it('counts faults by code, and invented codes of one source together, without affecting other sources', async () => {
  const metrics = createMetrics();
  for (let at = 0; at < 1000; at++) metrics.fault('page', `made-up-${at}`);
  metrics.fault('client', 'bad-packet');
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('vitrine_faults_total{'));
  expect(lines).toContain('vitrine_faults_total{from="client",code="bad-packet"} 1');
  expect(lines).toContain('vitrine_faults_total{from="page",code="other"} 800');
  expect(lines).toHaveLength(202);
});

it('counts refusals of channels by known codes, and what else a cell gives as a code together', async () => {
  const metrics = createMetrics();
  for (let at = 0; at < 300; at++) metrics.channelRefused(`made-up-${at}`);
  for (const code of ['bad-frame', 'session-not-found', 'bad-frame']) metrics.channelRefused(code);
  const { values } = await metrics.channelRefusals.get();
  expect(values.map(({ labels, value }) => `${labels.code} ${value}`).sort()).toEqual([
    'bad-frame 2',
    'other 300',
    'session-not-found 1',
  ]);
});
