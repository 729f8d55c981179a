import { expect, it } from 'vitest';
import { textsToken } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { Dialogs } from '../client/dialogs.ts';
import { questionsOf } from '../client/questions.ts';
import { Uploads } from '../client/uploads.ts';
import { manifest } from '../manifest.ts';
import { abortUpload, UPLOAD_END, uploadGoOn, uploadUnlock } from '../protocol.ts';

/** A client with an upload of two files, and what the host hears from it. */
function begin() {
  const { client, host, overlay, flush } = pluginHarness(manifest);
  const { commands, services, signal, slots } = client;
  const heard: unknown[] = [];
  for (const each of [uploadUnlock, uploadGoOn, abortUpload])
    host.commands.handle(each as typeof abortUpload, (params) => void heard.push([each.name, params]));
  const uploads = new Uploads({
    send: () => Promise.reject(new Error('not part of this test')),
    abort: (id, why) => commands.send(abortUpload, { id, why }),
    leaveOut: () => undefined,
    onFault: () => undefined,
    onShown: () => undefined,
    keep: () => undefined,
  });
  uploads.add(1, [new File(['a'], 'a.zip'), new File(['b'], 'b.zip')]);
  const dialogs = new Dialogs(slots, services.get(textsToken), signal);
  const questions = questionsOf({ commands, dialogs, uploads, signal });
  const question = (): string[] => overlay.asked.map(({ slot }) => slot);
  return { ...questions, uploads, heard, overlay, question, flush };
}

it('the question for a password ends with its upload, and sends nothing', async () => {
  const { password, uploads, heard, question, flush } = begin();
  void password({ id: 1, file: 0, isAgain: false });
  expect(question()).toEqual(['uploads.password']);
  uploads.aborted(1, UPLOAD_END.pageLeft);
  await flush();
  expect([question(), heard]).toEqual([[], []]);
  void password({ id: 1, file: 0, isAgain: true }); // it comes too late
  await flush();
  expect([question(), heard]).toEqual([[], []]);
});

it('the question about the other files ends with its upload, and sends nothing', async () => {
  const { blocked, uploads, heard, question, flush } = begin();
  const files = [{ file: 0, reason: 'infected' as const }];
  void blocked({ id: 1, files, left: 1 });
  expect(question()).toEqual(['uploads.notice']);
  uploads.aborted(1, UPLOAD_END.pageLeft);
  await flush();
  expect([question(), heard]).toEqual([[], []]);
});

it('a notice that all files are blocked stays after its upload', () => {
  const { blocked, question } = begin();
  void blocked({ id: 1, files: [{ file: 0, reason: 'infected' }], left: 0 });
  expect(question()).toEqual(['uploads.notice']);
});

it('a password that is given goes to the host', async () => {
  const { password, heard, overlay, flush } = begin();
  void password({ id: 1, file: 0, isAgain: false });
  overlay.asked[0]?.answer('secret');
  await flush();
  expect(heard).toEqual([['upload-unlock', { id: 1, file: 0, password: 'secret' }]]);
});
