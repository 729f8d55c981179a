import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import * as v from 'valibot';
import { message } from '../../../../core/protocol/message.ts';
import type { AppError } from '../../../../core/protocol/errors.ts';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../../core/testing/harness.ts';
import { PATIENCE_MS } from '../../../../core/testing/patience.ts';
import { manifestFrom } from '../../external-manifest.ts';
import { readPlugin } from '../read-plugin.ts';
import { threadedHalf } from '../threaded-half.ts';

const PROTOCOL = `
import { message, nothing } from 'vitrine/protocol/message';
import * as v from 'vitrine/protocol/schema';
const text = v.object({ text: v.string() });
export const ask = message('probe.ask', { direction: 'client-to-host', params: text, result: text });
export const turn = message('probe.turn', { direction: 'client-to-host', lane: 'input', params: text });
export const tell = message('probe.tell', { direction: 'host-to-client', params: text });
export const seen = message('probe.seen', { direction: 'page-to-host', params: v.object({ count: v.number() }) });
export const look = message('probe.look', { direction: 'host-to-page', params: text, result: v.object({ count: v.number() }) });
`;
const MANIFEST = `
import * as protocol from './protocol.ts';
export const manifest = {
  id: 'probe', version: '1.0.0', api: 1, description: 'x', activation: 'boot', protocol, permissions: PERMISSIONS,
};`;

const text = v.object({ text: v.string() });
const ask = message('probe.ask', { direction: 'client-to-host', params: v.unknown(), result: text });
export const turn = message('probe.turn', { direction: 'client-to-host', lane: 'input', params: text });
const tell = message('probe.tell', { direction: 'host-to-client', params: text });
export const seen = message('probe.seen', { direction: 'page-to-host', params: v.unknown() });
export const look = message('probe.look', { direction: 'host-to-page', params: text, result: v.unknown() });

const [folders, running]: [string[], PluginHarness[]] = [[], []];
afterEach(() => {
  for (const harness of running.splice(0)) harness.disposeHost();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export interface Started {
  readonly harness: PluginHarness;
  readonly faults: AppError[];
  readonly ended: AppError[];
  /** Texts that the client has received. */
  readonly told: string[];
  ask(text: unknown): Promise<string>;
}

/** Manifests that were read, by their permissions: a thread reads each. */
const reads: Record<string, ReturnType<typeof readPlugin>> = {};

/** Runs a host half of this text in a thread, in the surroundings of the harness. */
export async function start(half: string, permissions: object = {}): Promise<Started> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-half-'));
  folders.push(folder);
  mkdirSync(path.join(folder, 'host'));
  const file = path.join(folder, 'host/index.ts');
  writeFileSync(path.join(folder, 'protocol.ts'), PROTOCOL);
  writeFileSync(path.join(folder, 'manifest.ts'), MANIFEST.replace('PERMISSIONS', JSON.stringify(permissions)));
  writeFileSync(file, `import { ask, turn, tell, seen, look } from '../protocol.ts';\n${half}`);
  const read = (reads[JSON.stringify(permissions)] ??= readPlugin(folder, path.join(folder, 'manifest.ts')));
  const manifest = manifestFrom(await read, 'manifest.ts');
  const harness = pluginHarness({ ...manifest, protocol: { ask, turn, tell, seen, look } });
  running.push(harness);
  const [faults, ended, told]: [AppError[], AppError[], string[]] = [[], [], []];
  harness.client.commands.handle(tell, ({ text: given }) => void told.push(given));
  await threadedHalf(
    folder,
    file,
    manifest,
  )(harness.host, {
    onFault: (fault) => faults.push(fault),
    onEnd: (fault) => ended.push(fault),
  });
  return {
    harness,
    faults,
    ended,
    told,
    ask: async (given) => (await harness.client.commands.call(ask, given, { deadlineMs: PATIENCE_MS })).text,
  };
}
