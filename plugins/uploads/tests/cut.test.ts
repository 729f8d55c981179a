import { expect, it } from 'vitest';
import { chosen, inChunks, settled, startUpload } from './played-upload.ts';

/** Bytes of a sender that is cut without a word: what has come, and then nothing for ever. */
async function* cutOff(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await new Promise(() => undefined);
}

function begin() {
  const begun = startUpload([chosen('a.txt', 6)]);
  const { upload } = begun;
  const never = new AbortController().signal;
  const cut = upload.receive(0, 0, cutOff('abc'), never);
  const fails = expect(cut).rejects.toMatchObject({ code: 'part-replaced', retryable: true });
  return { ...begun, cut, fails };
}

it('a part takes the place of one whose sender was cut without a word, and the rest follows', async () => {
  const { send, staged, heard, fails } = begin();
  await settled();
  await expect(send(0, 0, 'abcdef')).rejects.toMatchObject({ code: 'part-out-of-order' });
  await fails;
  expect(heard.at(-1)).toEqual(['progress', 0, 3]);
  await send(0, 3, 'def');
  await settled();
  expect(staged).toEqual([['a.txt', 'abcdef', 7]]);
});

it('a client that asks where to go on ends the part, and hears of all bytes of it', async () => {
  const { upload, send, staged, fails } = begin();
  await settled();
  expect(await upload.resume(0)).toBe(3);
  await fails;
  await send(0, 3, 'def');
  expect(await upload.resume(0)).toBe(null);
  await settled();
  expect(staged).toHaveLength(1);
  const unsent = startUpload([chosen('a.txt', 6)]).upload;
  expect([await unsent.resume(0), await unsent.resume(1)]).toEqual([0, null]);
  unsent.stop('canceled');
  expect(await unsent.resume(0)).toBe(null);
});

it('of several parts at once the last one goes on', async () => {
  const { upload, send, fails, staged } = begin();
  await settled();
  const second = send(0, 3, 'xyz');
  const failed = expect(second).rejects.toMatchObject({ code: 'part-replaced' });
  const third = upload.receive(0, 3, inChunks('def'), new AbortController().signal);
  await Promise.all([fails, failed, third]);
  await settled();
  expect(staged).toEqual([['a.txt', 'abcdef', 7]]);
});
