import { expect, it } from 'vitest';
import { AppError } from '../../../host/plugin.ts';
import type { FileState, RouteContext, RouteRequest } from '../../../host/plugin.ts';
import { routes } from '../host/routes.ts';
import { runningUploadsToken } from '../host/session.ts';
import { pathOf } from '../host/staged-path.ts';
import { UPLOAD_END } from '../protocol.ts';
import { chosen, inChunks, settled, startUpload as start } from './played-upload.ts';

it('[M-091] files are received in parts, judged, staged in their order and given to the page', async () => {
  const { send, staged, heard, given, area, stored, recorded, upload, isRemoved } = start([
    chosen('a.txt', 6),
    chosen('b.txt', 0),
  ]);
  await send(1, 0);
  await send(0, 0, 'abc');
  await send(0, 3, 'def');
  await settled();
  expect(staged).toEqual([
    ['a.txt', 'abcdef', 7],
    ['b.txt', '', 7],
  ]);
  expect(given()).toBe(area);
  expect(heard).toEqual([['progress', 1, 0], ['progress', 0, 3], ['progress', 0, 6], ['completed']]);
  expect(stored.map(({ state }) => state.is)).toEqual(['canceled', 'canceled']); // the store has no copy any more
  expect(recorded.counts.get('given')).toBe(2);
  expect(recorded.events.map(([, event]) => event)).toMatchObject([
    { direction: 'up', site: 'site.test', name: 'b.txt', size: 0, outcome: 'allowed', verdict: 'clean' },
    { name: 'a.txt', size: 6, declared: 'n/a', type: 'text/plain' },
  ]);
  await expect(send(0, 6, 'x')).rejects.toMatchObject({ code: 'upload-over' });
  expect(isRemoved()).toBe(false);
  upload.dispose();
  expect(isRemoved()).toBe(true);
});

it('a file that the person leaves out is not waited for, and no file of the page', async () => {
  const { upload, send, staged, heard, stored, recorded } = start([
    chosen('a.txt', 2),
    chosen('b.txt', 4),
    chosen('c.txt', 3),
  ]);
  await send(0, 0, 'ab');
  await send(1, 0, 'cd');
  upload.leaveOut(1);
  upload.leaveOut(7);
  await settled();
  expect(stored.map(({ state }) => state.is)).toEqual(['allowed', 'canceled']);
  await expect(send(1, 2, 'ef')).rejects.toMatchObject({ code: 'upload-over' });
  expect(await upload.resume(1)).toBeNull();
  expect(staged).toEqual([]);
  upload.leaveOut(2);
  await settled();
  expect(staged.map(([path, content]) => [path, content])).toEqual([['a.txt', 'ab']]);
  expect(heard.at(-1)).toEqual(['completed']);
  expect(recorded.events.map(([, event]) => event)).toMatchObject([
    { name: 'a.txt', outcome: 'allowed' },
    { name: 'b.txt', outcome: 'canceled', size: 4 },
    { name: 'c.txt', outcome: 'canceled' },
  ]);
});

it('a file that is left out while it is judged ends nothing else, and one that has been judged is no file of the page', async () => {
  const { upload, send, staged, heard, stored, recorded } = start([
    chosen('a.txt', 2),
    chosen('b.txt', 1),
    chosen('c.txt', 1),
  ]);
  await send(0, 0, 'a');
  stored[0]!.complete = () => {
    upload.leaveOut(0);
    return Promise.reject(new AppError('file-unknown', 'It has ended.'));
  };
  await send(0, 1, 'b');
  await send(1, 0, 'b');
  await settled();
  upload.leaveOut(1);
  await settled();
  expect(stored.map(({ state }) => state.is)).toEqual(['canceled', 'canceled']);
  await send(2, 0, 'c');
  await settled();
  expect(staged.map(([path]) => path)).toEqual(['c.txt']);
  expect(heard.at(-1)).toEqual(['completed']);
  expect(recorded.events.map(([, event]) => event)).toMatchObject([
    { name: 'a.txt', outcome: 'canceled' },
    { name: 'b.txt', outcome: 'allowed' },
    { name: 'b.txt', outcome: 'canceled' },
    { name: 'c.txt', outcome: 'allowed' },
  ]);
});

it('a file that is left out as its judgement comes is no file of the page', async () => {
  const { upload, send, staged, stored } = start([chosen('a.txt', 2), chosen('b.txt', 1)]);
  await send(0, 0, 'a');
  const file = stored[0]!;
  const judge = file.judge.bind(file);
  file.judge = async (how) => {
    const findings = await judge(how);
    upload.leaveOut(0);
    return findings;
  };
  await send(0, 1, 'a');
  await send(1, 0, 'b');
  await settled();
  expect(staged.map(([path]) => path)).toEqual(['b.txt']);
});

it('one that ends names only the files that the person still wants', async () => {
  const { upload, recorded } = start([chosen('a.txt', 2), chosen('b.txt', 1)]);
  upload.leaveOut(0);
  upload.stop('canceled');
  expect(recorded.events.map(([, event]) => event)).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt', size: 1 }]);
});

it('one of which all files are left out is over, and of the others those that are blocked do not go on', async () => {
  const none = start([chosen('a.txt', 2)]);
  none.upload.leaveOut(0);
  await settled();
  expect([none.upload.isOver, none.given(), none.staged]).toEqual([true, undefined, []]);
  const blocked = start([chosen('a.exe', 1), chosen('b.txt', 1)], [[{ is: 'blocked', reason: 'rule', checks: [] }]]);
  await blocked.send(0, 0, 'x');
  blocked.upload.leaveOut(1);
  await settled();
  expect(blocked.heard.at(-1)).toEqual(['blocked', [{ file: 0, reason: 'rule' }], 0]);
  expect(blocked.upload.isOver).toBe(true);
});

it('a part of a file that is left out while it comes is ended', async () => {
  const { upload, stored, heard } = start([chosen('a.txt', 9), chosen('b.txt', 0)]);
  const never = new Promise<never>(() => undefined);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('ab');
    await never;
  }
  const receiving = upload.receive(0, 0, bytes(), new AbortController().signal);
  const fails = expect(receiving).rejects.toMatchObject({ code: 'part-replaced' });
  await settled();
  upload.leaveOut(0);
  await fails;
  await settled();
  expect(stored[0]?.state.is).toBe('canceled');
  expect(heard.map(([what]) => what)).not.toContain('aborted');
});

it('what a rule withholds is no file of the page, with the text of the rule and its name for administrators', async () => {
  const checks = [{ plugin: 'rules', status: 'FINISHED', rule: 'r[0]' }] as const;
  const why = { reason: 'rule', checks, rule: 'r[0]' } as const;
  const { send, heard, staged, recorded, upload } = start(
    [chosen('a.exe', 1), chosen('b.doc', 1), chosen('c.txt', 1)],
    [[{ is: 'blocked', ...why, message: 'Ask us' }], [{ is: 'quarantined', ...why }], []],
  );
  for (const at of [0, 1, 2]) await send(at, 0, 'x');
  await settled();
  expect(heard.at(-1)).toEqual([
    'blocked',
    [
      { file: 0, reason: 'rule', message: 'Ask us' },
      { file: 1, reason: 'quarantined' },
    ],
    1,
  ]);
  expect(staged).toEqual([]);
  expect(recorded.events.map(([, event]) => event)).toMatchObject([
    { outcome: 'rule', rule: 'r[0]' },
    { outcome: 'quarantined', rule: 'r[0]' },
    { outcome: 'allowed' },
  ]);
  expect(Object.fromEntries(recorded.counts)).toEqual({ blocked: 1, quarantined: 1 });
  upload.goOn();
  await settled();
  expect(staged).toEqual([['c.txt', 'x', 7]]);
});

it('a store that is busy may be asked again', async () => {
  let failures = 1;
  const { send, upload, staged } = start([chosen('a.txt', 0)], [], { beginFails: () => failures-- > 0 });
  await expect(send(0, 0)).rejects.toMatchObject({ code: 'service-busy' });
  upload.unlock(0, 'x');
  await send(0, 0);
  await settled();
  expect(staged).toHaveLength(1);
});

it('a part that was cut is followed by the rest, and one out of order is refused with the right place', async () => {
  const { send, heard, staged } = start([chosen('a.txt', 6)]);
  await expect(send(0, 0, 'ab', new Error('cut'))).rejects.toThrow('cut');
  expect(heard).toEqual([['progress', 0, 2]]);
  await expect(send(0, 0, 'abcdef')).rejects.toMatchObject({ code: 'part-out-of-order' });
  expect(heard.at(-1)).toEqual(['progress', 0, 2]);
  await send(0, 2, 'cdef');
  await settled();
  expect(staged).toEqual([['a.txt', 'abcdef', 7]]);
});

it('a file is judged though the connection is cut after its last byte', async () => {
  const { send, staged, heard } = start([chosen('a.txt', 3)]);
  await expect(send(0, 0, 'abc', new Error('cut'))).rejects.toThrow('cut');
  await settled();
  expect([staged.length, heard.at(-1)]).toEqual([1, ['completed']]);
  await expect(send(0, 3)).rejects.toMatchObject({ code: 'upload-over' });
});

it('bytes past the announced size end the upload: the file has changed', async () => {
  const { send, heard, isRemoved, stored } = start([chosen('a.txt', 3)]);
  await expect(send(0, 0, 'abcd')).rejects.toMatchObject({ code: 'file-too-large' });
  expect(heard.at(-1)).toEqual(['aborted', UPLOAD_END.changed]);
  await settled();
  expect([isRemoved(), stored[0]?.state.is]).toEqual([false, 'canceled']);
});

it('a blocked file is left out where the person goes on, and ends an upload of nothing else', async () => {
  const blocked: FileState = { is: 'blocked', reason: 'infected', checks: [] };
  const some = start([chosen('a.txt', 1), chosen('virus.txt', 1)], [[], [blocked]]);
  await some.send(0, 0, 'a');
  await some.send(1, 0, 'v');
  await settled();
  expect(some.heard.at(-1)).toEqual(['blocked', [{ file: 1, reason: 'infected' }], 1]);
  expect(some.staged).toEqual([]);
  some.upload.goOn();
  await settled();
  expect(some.staged).toEqual([['a.txt', 'a', 7]]);
  expect(some.heard.at(-1)).toEqual(['completed']);

  const none = start([chosen('virus.txt', 1)], [[blocked]]);
  await none.send(0, 0, 'v');
  await settled();
  expect(none.heard.at(-1)).toEqual(['blocked', [{ file: 0, reason: 'infected' }], 0]);
  none.upload.goOn();
  await settled();
  expect([none.staged, none.recorded.counts.get('failed')]).toEqual([[], 1]);
});

it('an encrypted file waits for its password', async () => {
  const locked = (attempt: number): FileState => ({ is: 'locked', attempt });
  const { send, upload, heard, staged } = start([chosen('a.zip', 1)], [[locked(1), locked(2)]]);
  await send(0, 0, 'z');
  await settled();
  upload.unlock(0, 'wrong');
  await settled();
  expect(heard.filter(([what]) => what === 'password')).toEqual([
    ['password', 0, false],
    ['password', 0, true],
  ]);
  upload.unlock(5, 'right');
  upload.unlock(0, 'right');
  await settled();
  expect(staged).toHaveLength(1);
});

it('ends when the person stops it, its document goes, or the store fails', async () => {
  const { send, upload, heard } = start([chosen('a.txt', 3)]);
  await send(0, 0, 'a');
  upload.stop('canceled');
  upload.abort(UPLOAD_END.pageLeft);
  await expect(send(0, 1, 'b')).rejects.toMatchObject({ code: 'upload-over' });
  expect(heard.filter(([what]) => what === 'aborted')).toEqual([]);

  const failing = start([chosen('a.txt', 1)], [[{ is: 'failed', reason: '' }]]);
  await failing.send(0, 0, 'a');
  await settled();
  expect(failing.heard.at(-1)).toEqual(['aborted', UPLOAD_END.host]);
  const lost = start([chosen('a.txt', 3)]); // by a store that was started again
  await lost.send(0, 0, 'a');
  lost.stored[0]!.receive = () => Promise.reject(new AppError('file-unknown', 'no such file'));
  await expect(lost.send(0, 1, 'b').catch(() => lost.heard.at(-1))).resolves.toEqual(['aborted', UPLOAD_END.host]);
});

it.each([
  ['no-exchange', UPLOAD_END.host],
  ['disk-full', UPLOAD_END.diskFull],
])('a surrogate that takes no files (%s) ends it, also once the person goes on', async (stageFails, reason) => {
  const { send, heard } = start([chosen('a.txt', 0)], [], { stageFails });
  await send(0, 0);
  await settled();
  expect(heard.at(-1)).toEqual(['aborted', reason]);
  const blocked: FileState = { is: 'blocked', reason: 'infected', checks: [] };
  const some = start([chosen('a.txt', 0), chosen('b.txt', 0)], [[], [blocked]], { stageFails });
  await some.send(0, 0);
  await some.send(1, 0);
  await settled();
  some.upload.goOn();
  await settled();
  expect(some.heard.at(-1)).toEqual(['aborted', reason]);
});

it('a folder keeps its paths, two files of a name get numbers, and parts that are no names are refused', async () => {
  const { send, staged } = start([chosen('a.txt', 0, 'f/a.txt'), chosen('a.txt', 0, 'f/in/a.txt')], [], {
    asFolder: true,
  });
  await send(0, 0);
  await send(1, 0);
  await settled();
  expect(staged.map(([path]) => path)).toEqual(['f/a.txt', 'f/in/a.txt']);

  const of = (path: string, name: string, taken = new Map<string, number>()): string =>
    pathOf({ path, name, safe: name }, true, taken).join('/');
  const taken = new Map<string, number>();
  const names = ['a.txt', 'a.txt', 'a (1).txt', 'a.txt', 'b'].map((name) => of('', name, taken));
  expect(names).toEqual(['a.txt', 'a (1).txt', 'a (1) (1).txt', 'a (2).txt', 'b']);
  for (const path of ['../a', 'f/../a', './a', `${'f/'.repeat(20)}a`, `${'ü'.repeat(150)}/a`, '/a'])
    expect(() => of(path, 'a'), path).toThrow(expect.objectContaining({ code: 'bad-file-path' }));
  expect(of('a\\b\u0000/x', 'x')).toBe('a_b_/x');
});

async function post(form: string, { type = 'multipart/form-data; boundary=B', query = {} } = {}) {
  const { upload, stored } = start([chosen('a.txt', 5)]);
  const body = inChunks(...(form.replaceAll('\n', '\r\n').match(/[^]{1,7}/g) ?? []));
  const asked = { upload_id: upload.id, file_id: '0', cid: 'c', page_url: 'https://a/?b', ...query };
  const request = { query: asked, contentType: type, body, signal: new AbortController().signal };
  const services = {
    get: (token: unknown) =>
      token === runningUploadsToken && { get: (id: string) => (id === upload.id ? upload : undefined) },
  };
  await routes['POST /r/upload']!(request as unknown as RouteRequest, { services } as unknown as RouteContext); // all that is used of them
  return stored[0]?.content;
}
const FILE =
  '--B\nContent-Disposition: form-data; name="file"; filename="a.txt"\nContent-Type: text/plain\n\nhello\n--B--\n';

it('[S-120] the route takes the field `file` of a multipart form', async () => {
  expect(await post(FILE)).toBe('hello');
});

it('a form whose connection is cut ends its part, whatever its reader waits for', async () => {
  const { upload } = start([chosen('a.txt', 50)]);
  const never = new AbortController();
  async function* cut(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(FILE.replaceAll('\n', '\r\n').slice(0, 100));
    throw new AppError('request-closed', 'cut');
  }
  const query = { upload_id: upload.id, file_id: '0' };
  const request = { query, contentType: 'multipart/form-data; boundary=B', body: cut(), signal: never.signal };
  const services = { get: () => ({ get: () => upload }) };
  const ask = () =>
    routes['POST /r/upload']!(request as unknown as RouteRequest, { services } as unknown as RouteContext); // all that is used of them
  await expect(ask()).rejects.toMatchObject({ code: 'request-closed' });
  await expect(upload.receive(0, 99, inChunks(), never.signal)).rejects.toMatchObject({ code: 'part-out-of-order' });
});

it.each<[string, string, object, string]>([
  ['no form', FILE, { type: 'text/plain' }, 'bad-message'],
  ['no boundary', FILE, { type: 'multipart/form-data' }, 'bad-message'],
  ['another field', FILE.replace('"file"', '"other"'), {}, 'bad-message'],
  ['a cut form', FILE.slice(0, -9), {}, 'bad-message'],
  ['nothing', '', {}, 'bad-message'],
  ['another field of a cut form', FILE.replace('"file"', '"other"').slice(0, -9), {}, 'bad-message'],
  ['another upload', FILE, { query: { upload_id: 'x' } }, 'upload-over'],
  ['another file', FILE, { query: { file_id: '1' } }, 'upload-over'],
  ['a number that is none', FILE, { query: { file_id: '-1' } }, 'bad-message'],
  ['another place', FILE, { query: { offset: '3' } }, 'part-out-of-order'],
  ['more than was announced', FILE.replace('hello', 'hello!'), {}, 'file-too-large'],
])('the route refuses %s', async (_what, form, options, code) => {
  await expect(post(form, options)).rejects.toMatchObject({ code });
});
