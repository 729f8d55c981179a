import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { FileStore } from '../host/store/file-store.ts';
import type { FileFacts, StoredFile } from '../host/store/contract.ts';

/** A store in a folder of its own, for each test of a file. */

export const CHUNK = 64 * 1024;
export const MINUTE = 60_000;
export const facts: FileFacts = {
  person: 'ann',
  session: 's1',
  direction: 'down',
  name: 'a.pdf',
  url: 'https://a.example/',
};
export const ann = { person: 'ann', session: 's1' };
export const unlimited = { offset: 0, maxBytes: Infinity };
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const masterKey = Buffer.alloc(32, 7);

export let folder: string;
export let now: number;
export let store: FileStore;

export function useStore(): void {
  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-store-'));
    now = 1_000_000;
    store = await openStore();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

const openStore = (): Promise<FileStore> => FileStore.open({ folder, key: masterKey, now: () => now, log: quiet });

/** Lets time pass, in ms. */
export function pass(ms: number): void {
  now += ms;
}

/** Closes the store and opens it again, as a restart does. */
export async function restart(): Promise<void> {
  await store.close();
  store = await openStore();
}

export async function* parts(...of: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* of;
}
export const begin = (more: Partial<FileFacts> = {}): Promise<StoredFile> =>
  store.create({ ...facts, ...more }, { keepMs: MINUTE });
export async function stored(bytes: Uint8Array, more: Partial<FileFacts> = {}): Promise<StoredFile> {
  const file = await begin(more);
  await file.append(parts(bytes), unlimited);
  await file.complete();
  return file;
}
export async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
export const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error;
