import { afterEach, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { start as startClient } from '../client/start.ts';
import { manifest } from '../manifest.ts';
import { pasteFiles, upload, uploadAck } from '../protocol.ts';
import type { ChosenFile } from '../protocol.ts';

afterEach(() => vi.unstubAllGlobals());

/** Sends files to the host in a session that has all of its names. Resolves with what the host is told of them, and the queries of the requests. */
async function begun(pairing: object, ...files: File[]): Promise<readonly [readonly ChosenFile[], readonly unknown[]]> {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const harness = pluginHarness(manifest, { pairing, url: 'https://site.test/form?a#b' });
  const { client, host, flush, helped } = harness;
  const told: ChosenFile[] = [];
  host.commands.handle(pasteFiles, () => ({ id: 7 }));
  host.commands.handle(upload, ({ files: given }) => void told.push(...given));
  const { paste, take } = await startClient(client);
  await paste(1, files);
  await flush();
  take(uploadAck.name, { id: 7, uploadId: 'U1' });
  await vi.waitFor(() => expect(helped).toHaveLength(files.length), PATIENCE_MS);
  return [told, helped.map(([, { query }]: readonly [string, { query?: unknown }]) => query)];
}

it('[S-120] each request names session, tab, app, cluster, upload, file and page', async () => {
  const [, queries] = await begun(
    { cid: 'c1', tab_id: 't1', mpa_id: 'm1', cluster_id: 'l1' },
    new File(['a'], 'a.txt'),
    new File(['b'], 'b.txt'),
  );
  const names = { cid: 'c1', tab_id: 't1', mpa_id: 'm1', cl: 'l1', upload_id: 'U1' };
  expect(queries).toEqual(
    ['0', '1'].map((file_id) => ({ ...names, file_id, page_url: 'https://site.test/form?a#b', offset: '0' })),
  );
});

it('[S-120] a request names no app and no cluster where there is none', async () => {
  const [, queries] = await begun({ cid: 'c1', tab_id: 't1' }, new File(['a'], 'a.txt'));
  expect(Object.keys(Object(queries[0]))).toEqual(['cid', 'tab_id', 'upload_id', 'file_id', 'page_url', 'offset']);
});

it('[M-019] a file is described by size, name, type, time and path', async () => {
  const [told] = await begun(
    {},
    new File(['abc'], 'a.txt', { type: 'text/plain', lastModified: 1_700_000_000_000 }),
    new File([], 'b', { lastModified: 5 }),
  );
  expect(told).toEqual([
    { size: 3, name: 'a.txt', type: 'text/plain', lastModified: 1_700_000_000_000, path: '' },
    { size: 0, name: 'b', type: 'n/a', lastModified: 5, path: '' },
  ]);
});
