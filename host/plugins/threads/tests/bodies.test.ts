import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { patterned, inPieces } from '../../../../core/protocol/bodies/tests/carrier-pair.ts';
import type { AppError } from '../../../../core/protocol/errors.ts';
import { message } from '../../../../core/protocol/message.ts';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../../core/testing/harness.ts';
import { PATIENCE_MS } from '../../../../core/testing/patience.ts';
import { manifestFrom } from '../../external-manifest.ts';
import { readPlugin } from '../read-plugin.ts';
import { threadedHalf } from '../threaded-half.ts';

const FILES = {
  'protocol.ts': `
import { message } from 'vitrine/protocol/message';
import * as v from 'vitrine/protocol/schema';
const text = v.object({ text: v.string() });
export const up = message('probe.up', { direction: 'client-to-host', params: text, result: text, body: 'bytes' });
export const round = message('probe.round', { direction: 'client-to-host', params: text, result: text, body: 'stream', resultBody: 'stream' });
export const down = message('probe.down', { direction: 'host-to-client', params: text, body: 'bytes' });
`,
  'manifest.ts': `
import * as protocol from './protocol.ts';
export const manifest = { id: 'probe', version: '1.0.0', api: 1, description: 'x', activation: 'boot', protocol };
`,
  'host/index.ts': `
import { up, round, down } from '../protocol.ts';
export const activate = ({ commands }) => {
  commands.handle(up, ({ text }, body) => {
    commands.send(down, { text }, { body: body.map((byte) => byte ^ 255) });
    return { text: String(body.length) };
  });
  commands.handle(round, async ({ text }, body) => {
    if (text === 'fail') throw new Error('who knows');
    return { result: { text }, body };
  });
};
`,
};
const text = v.object({ text: v.string() });
const up = message('probe.up', { direction: 'client-to-host', params: text, result: text, body: 'bytes' });
const round = message('probe.round', {
  direction: 'client-to-host',
  params: text,
  result: text,
  body: 'stream',
  resultBody: 'stream',
});
const down = message('probe.down', { direction: 'host-to-client', params: text, body: 'bytes' });

const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-bodies-'));
mkdirSync(path.join(folder, 'host'));
for (const [name, content] of Object.entries(FILES)) writeFileSync(path.join(folder, name), content);
const running: PluginHarness[] = [];
afterEach(() => {
  for (const harness of running.splice(0)) harness.disposeHost();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start() {
  const manifest = manifestFrom(await readPlugin(folder, path.join(folder, 'manifest.ts')), 'manifest.ts');
  const harness = pluginHarness({ ...manifest, protocol: { up, round, down } });
  running.push(harness);
  const faults: AppError[] = [];
  const listener = {
    onFault: (fault: AppError) => void faults.push(fault),
    onEnd: (fault: AppError) => void faults.push(fault),
  };
  await threadedHalf(folder, path.join(folder, 'host/index.ts'), manifest)(harness.host, listener);
  return { harness, faults };
}

describe('a host half in a thread', () => {
  it('takes bytes whole, and sends some', async () => {
    const { harness, faults } = await start();
    const came = Promise.withResolvers<Uint8Array>();
    harness.client.commands.handle(down, (_params, body) => came.resolve(body));
    const bytes = patterned(300_000);
    const { text: length } = await harness.client.commands.call(
      up,
      { text: 'x' },
      { body: bytes, deadlineMs: PATIENCE_MS },
    );
    expect(length).toBe('300000');
    expect(
      Buffer.compare(
        await came.promise,
        bytes.map((byte) => byte ^ 255),
      ),
    ).toBe(0);
    expect(faults).toEqual([]);
  });

  it('answers a stream with a stream, while it comes', async () => {
    const { harness, faults } = await start();
    const bytes = patterned(3_000_000, 5);
    const given = { body: inPieces(bytes, 50_000), deadlineMs: PATIENCE_MS };
    const { result, body } = await harness.client.commands.call(round, { text: 'here' }, given);
    expect(result).toEqual({ text: 'here' });
    expect(Buffer.compare(await body.bytes(), bytes)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('that fails over a stream has its sender stop', async () => {
    const { harness } = await start();
    let isOver = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new Uint8Array(50_000);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        isOver = true;
      }
    }
    await expect(
      harness.client.commands.call(round, { text: 'fail' }, { body: endless(), deadlineMs: PATIENCE_MS }),
    ).rejects.toMatchObject({ code: 'internal' });
    await expect.poll(() => isOver).toBe(true);
  });
});
