import { chmod, mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../../core/contracts/scope.ts';
import { createEgress, type Egress, type EgressOptions } from '../../cell/egress/egress.ts';
import { launchChromium, type LaunchOptions, type LocalSurrogate } from '../launch.ts';
import type { CdpSession } from '../cdp-session.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

export const CHROMIUM = process.env['VITRINE_CHROMIUM'] ?? '/usr/bin/chromium';
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates a data folder; remove it by `removeFolder`. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-test-'));
  await chmod(folder, 0o711); // readable by the surrogates' user
  return folder;
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** Writes an extension like the page halves', whose script marks its world. */
export async function writeExtension(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const content = { matches: ['<all_urls>'], js: ['page.js'], run_at: 'document_start', all_frames: true };
  const manifest = { manifest_version: 3, name: 'vitrine', version: '1', content_scripts: [content] };
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'page.js'), 'globalThis.isPageHalf = true;');
  return folder;
}

export interface Launched {
  readonly surrogate: LocalSurrogate;
  readonly egress: Egress;
  readonly dataDir: string;
  /** Opens a new page of the surrogate. */
  open(url?: string): Promise<CdpSession>;
  close(): Promise<void>;
}

export async function launch(
  launchOptions: Partial<LaunchOptions> = {},
  egressOptions: Partial<EgressOptions> = {},
): Promise<Launched> {
  const dataDir = launchOptions.dataDir ?? (await dataFolder());
  const egress = await createEgress({ log: silent, ...egressOptions });
  const surrogate = await launchChromium({
    executable: CHROMIUM,
    dataDir,
    proxyPort: egress.port,
    log: silent,
    ...launchOptions,
  });
  const { connection } = surrogate;
  return {
    surrogate,
    egress,
    dataDir,
    async open(url = 'about:blank') {
      const { targetId } = await connection.root.send('Target.createTarget', { url });
      return connection.attach(targetId);
    },
    async close() {
      await surrogate.close();
      await egress.close();
      await removeFolder(dataDir);
    },
  };
}

/** Evaluates in the page's own world and returns the value; promises are awaited. */
export async function evaluate<T>(session: CdpSession, expression: string): Promise<T> {
  const { result, exceptionDetails } = await session.send(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true },
    { deadlineMs: PATIENCE_MS },
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T; // each test expects the type of its expression
}
