import { afterEach, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { start } from '../client/start.ts';
import { manifest } from '../manifest.ts';
import { pasteFiles, resumeUpload, uploadAck } from '../protocol.ts';

afterEach(() => void vi.unstubAllGlobals());

it('[S-106] a request with a part of a file that fails is reported by its label, and the file is sent all the same', async () => {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const answers = [new AppError('helper-failed', 'status 502'), undefined];
  const harness = pluginHarness(manifest, {
    helper: async () => {
      const answer = answers.shift();
      if (answer) throw answer;
    },
  });
  const { client, host, flush, helped, events } = harness;
  host.commands.handle(pasteFiles, () => ({ id: 7 }));
  host.commands.handle(resumeUpload, () => ({ received: 0 }));
  const { paste, take } = await start(client);
  await paste(1, [new File(['a'], 'a.txt')]);
  await flush();
  take(uploadAck.name, { id: 7, uploadId: 'U1' });
  await vi.waitFor(async () => {
    await flush();
    expect(helped).toHaveLength(2);
  }, PATIENCE_MS); // after a pause of some 100 ms
  await flush();
  expect(events).toMatchObject([
    { name: 'tc-server-call-failed', data: { label: 'upload', message: expect.stringContaining('502') as string } },
  ]);
});
