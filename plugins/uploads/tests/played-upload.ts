import { expect } from 'vitest';
import { testAccess } from '../../../core/testing/host-access.ts';
import { testRecords } from '../../../core/testing/records.ts';
import { AppError, toAppError } from '../../../host/plugin.ts';
import type { DeskFile, FileDesk, FileFindings, FileState, SizeLimit, StagingArea } from '../../../host/plugin.ts';
import { Upload } from '../host/upload.ts';
import { manifest } from '../manifest.ts';
import type { ChosenFile } from '../protocol.ts';

const FINDINGS: FileFindings = {
  type: { mime: 'text/plain', extension: 'txt', group: 'text' },
  verdict: 'clean',
  reason: '',
  isLocked: false,
  scanners: 1,
  checks: [],
};
const ALLOWED: FileState = { is: 'allowed', isScanned: true, checks: [] };
/** A file that the person has chosen. */
export const chosen = (name: string, size: number, path = ''): ChosenFile => ({
  name,
  size,
  type: 'n/a',
  lastModified: 7,
  path,
});

/** Bytes as they come. */
export async function* inChunks(...chunks: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

type ReceiveOptions = Parameters<DeskFile['receive']>[1];

/** A file of the desk: bytes in memory, and the outcomes of its judgements. */
export class PlayedFile implements DeskFile {
  readonly key = 'K';
  readonly name: string;
  sha256: string | undefined;
  state: FileState = { is: 'growing' };
  content = '';
  readonly outcomes: FileState[];

  constructor(name: string, outcomes: FileState[]) {
    this.name = name;
    this.outcomes = outcomes;
  }
  get size(): number {
    return this.content.length;
  }
  async receive(bytes: AsyncIterable<Uint8Array>, { maxBytes, signal }: ReceiveOptions): Promise<void> {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(toAppError(signal.reason)));
    });
    aborted.catch(() => undefined);
    const source = bytes[Symbol.asyncIterator]();
    for (;;) {
      const step = await Promise.race([source.next(), aborted]);
      if (step.done === true) return;
      this.content += Buffer.from(step.value).toString();
      if (this.size > maxBytes) throw new AppError('file-too-large', 'too large');
    }
  }
  async complete(): Promise<void> {
    this.state = { is: 'checking', checks: [] };
  }
  async judge({ password }: { readonly password?: string } = {}): Promise<FileFindings> {
    const next = password === 'right' ? ALLOWED : (this.outcomes.shift() ?? ALLOWED);
    if (next.is === 'failed') throw new AppError('service-gone', 'gone');
    this.state = next;
    return FINDINGS;
  }
  async bytes(): Promise<AsyncIterable<Uint8Array>> {
    return inChunks(this.content);
  }
  limit: SizeLimit | undefined;
  async refresh(): Promise<void> {}
  async block(): Promise<void> {}
  async end(state: FileState): Promise<void> {
    this.state = state;
  }
}

interface PlayOptions {
  readonly asFolder?: boolean;
  /** Answer of the page. */
  readonly isTaken?: boolean | Promise<boolean>;
  /** Code of the error of the surrogate. */
  readonly stageFails?: string;
  readonly beginFails?: () => boolean;
}

/** An upload with a desk, a surrogate and a client that a test plays. */
export function startUpload(
  files: readonly ChosenFile[],
  outcomes: readonly FileState[][] = [],
  { asFolder = false, isTaken = true, stageFails = '', beginFails = () => false }: PlayOptions = {},
) {
  const records = testRecords();
  const access = testAccess(manifest);
  const stored: PlayedFile[] = [];
  const staged: (readonly [string, string, number | undefined])[] = [];
  const heard: unknown[][] = [];
  let given: unknown;
  let isRemoved = false;
  const area: StagingArea = {
    add: async ({ path, bytes, lastModified }) => {
      let content = '';
      for await (const chunk of bytes) content += Buffer.from(chunk).toString();
      staged.push([path.slice(asFolder ? 0 : 1).join('/'), content, lastModified]);
    },
    give: () => Promise.reject(new Error('not part of this test')),
    drag: () => {
      throw new Error('not part of this test');
    },
    remove: async () => void (isRemoved = true),
  };
  const desk: FileDesk = {
    begin: async ({ name, direction }) => {
      expect(direction).toBe('up');
      if (beginFails()) throw new AppError('service-busy', 'busy');
      const file = new PlayedFile(name, [...(outcomes[stored.length] ?? [])]);
      stored.push(file);
      return file;
    },
    limitOf: () => undefined,
  };
  const give = async (to: StagingArea): Promise<boolean> => {
    given = to;
    return isTaken;
  };
  const target = { frame: 3, addresses: [], asFolder, give };
  const listener = {
    progress: (...facts: unknown[]) => heard.push(['progress', ...facts]),
    password: (...facts: unknown[]) => heard.push(['password', ...facts]),
    blocked: (...facts: unknown[]) => heard.push(['blocked', ...facts]),
    aborted: (...facts: unknown[]) => heard.push(['aborted', ...facts]),
    completed: () => heard.push(['completed']),
  };
  const upload = new Upload({
    files,
    target,
    tab: { id: 'T', policy: () => ({}) as never },
    site: 'site.test',
    addresses: ['https://site.test/'],
    desk,
    stage: async () => {
      if (stageFails !== '') throw new AppError(stageFails, 'no');
      return area;
    },
    listener,
    records: access.records,
    log: records.log,
  });
  const send = (at: number, offset: number, ...chunks: (string | Error)[]): Promise<void> =>
    upload.receive(at, offset, inChunks(...chunks), new AbortController().signal);
  return {
    upload,
    send,
    stored,
    staged,
    heard,
    area,
    recorded: access.recorded,
    given: () => given,
    isRemoved: () => isRemoved,
  };
}
/** Resolves once what is under way is over. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
