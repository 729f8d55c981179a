import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventFile } from '../event-log.ts';
import { createMetrics } from '../metrics.ts';
import { pluginRecords } from '../plugin-records.ts';

const manifests = [
  { id: 'my-print', metrics: { documents: 'Documents made' }, eventFiles: { made: 'x' } },
  { id: 'my-print', metrics: { pages: 'Pages of documents' } }, // a version for another variant
  { id: 'silent' },
];
const anna = { subject: 'anna', tenant: 'acme' };
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-records-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('counts in /metrics, and appends to files under the person whom the gateway knows', async () => {
  const metrics = createMetrics();
  const records = pluginRecords({ manifests, dataDir, metrics, onDiskFault: () => undefined });
  const plugin = 'my-print';
  const events = [{ plugin, file: 'made', event: '{"site":"https://a.test","person":"somebody else"}' }];
  records.take({ counts: [{ plugin, name: 'documents', by: 2 }], events, dropped: [] }, anna);
  records.take({ counts: [{ plugin, name: 'documents', by: 3 }], events: [], dropped: [] }, undefined);
  await records.flush();
  const text = await metrics.text();
  expect(text).toMatch(/^# HELP vitrine_plugin_my_print_documents_total Documents made$/m);
  expect(text).toMatch(/^vitrine_plugin_my_print_documents_total 5$/m);
  expect(text).toMatch(/^vitrine_plugin_my_print_pages_total 0$/m);
  const lines = (await readFile(eventFile(dataDir, 'my-print.made'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      person: 'anna',
      tenant: 'acme',
      event: { site: 'https://a.test', person: 'somebody else' },
    },
  ]);
});

it('reports what a compromised cell makes up', async () => {
  const metrics = createMetrics();
  const records = pluginRecords({ manifests, dataDir, metrics, onDiskFault: () => undefined });
  const counts = [
    { plugin: 'silent', name: 'documents', by: 1 },
    { plugin: '__proto__', name: 'x', by: 1 },
  ];
  const events = [
    { plugin: 'my-print', file: '../../etc/passwd', event: '{}' },
    { plugin: 'my-print', file: 'made', event: 'no JSON' },
  ];
  records.take({ counts, events, dropped: [] }, anna);
  await records.flush();
  expect(await metrics.text()).toMatch(/^vitrine_faults_total\{from="plugin",code="not-declared"\} 3$/m);
  await expect(readFile(eventFile(dataDir, 'my-print.made'))).rejects.toThrow('ENOENT');
});

it('gives each person an allowance of bytes in each file: nobody rolls the records of others away', async () => {
  const metrics = createMetrics();
  const records = pluginRecords({ manifests, dataDir, metrics, onDiskFault: () => undefined });
  const flood = (text: string) => ({
    counts: [],
    events: Array.from({ length: 100 }, () => ({ plugin: 'my-print', file: 'made', event: JSON.stringify({ text }) })),
    dropped: [],
  });
  const one = { counts: [], events: [{ plugin: 'my-print', file: 'made', event: '{"of":"ben"}' }], dropped: [] };
  for (let notice = 0; notice < 100; notice += 1) records.take(flood('\ud800'.repeat(300)), anna);
  records.take(one, { subject: 'ben', tenant: 'acme' });
  await records.flush();
  const lines = (await readFile(eventFile(dataDir, 'my-print.made'), 'utf8')).trim().split('\n');
  expect(Buffer.byteLength(lines.slice(0, -1).join('\n'))).toBeLessThan(70 * 1024);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ person: 'ben', event: { of: 'ben' } });
  expect(await metrics.text()).toMatch(/^vitrine_plugin_events_dropped 99\d\d$/m);
});

it('counts what plugins have dropped themselves', async () => {
  const metrics = createMetrics();
  const records = pluginRecords({ manifests, dataDir, metrics, onDiskFault: () => undefined });
  records.take({ counts: [], events: [], dropped: [{ plugin: 'my-print', count: 7 }] }, anna);
  expect(await metrics.text()).toMatch(/^vitrine_plugin_events_dropped 7$/m);
  expect(await metrics.text()).toMatch(/^vitrine_faults_total\{from="plugin",code="events-dropped"\} 1$/m);
});
