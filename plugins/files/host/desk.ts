import { AppError, toAppError, token } from '../../../host/plugin.ts';
import type {
  DeskFile,
  FileDesk,
  FileFindings,
  FileState,
  ServiceClient,
  SettingValues,
} from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { decide, judgedFor } from './decision.ts';
import type { ScanPolicy } from './decision.ts';
import { readJudgement } from './judgements.ts';
import { safeFileName } from './judge/file-name.ts';
import { append, begin, complete, judge, leave, read, remove, sizeOf } from './methods.ts';
import { Parts } from './parts.ts';
import { Turns } from './turns.ts';

/** Files whose state is remembered; the oldest one that is over makes room. */
const MAX_REMEMBERED = 1000;
const MINUTE_MS = 60_000;
/** Files of a session that are received, and that are judged, at a time: others of the calls that a person may have serve files meanwhile. */
const MAX_RECEIVED = 14;
const MAX_JUDGED = 2;

/** The files of a session, as routes see them. */
export interface OwnFiles {
  /** @throws AppError `file-unknown` */
  get(key: string): DeskFile;
  /** Bytes of a complete file from `first`, up to and without `end`. @throws AppError `file-unknown`, as `ServiceClient.call` */
  read(key: string, first: number, end: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export const ownFilesToken = token<OwnFiles>('files.own');

/** The desk of one session. Whoever made it disposes of it. */
export class Desk implements FileDesk, OwnFiles {
  readonly #service: ServiceClient;
  readonly #session: string;
  readonly #files = new Map<string, OwnFile>();
  readonly #turns: DeskTurns = { receiving: new Turns(MAX_RECEIVED), judging: new Turns(MAX_JUDGED) };

  constructor(service: ServiceClient, session: string) {
    this.#service = service;
    this.#session = session;
  }

  async begin({ name, keepMinutes, tab, direction = 'down' }: Parameters<FileDesk['begin']>[0]): Promise<DeskFile> {
    const keepMs = keepMinutes * MINUTE_MS;
    const safe = safeFileName(name);
    const { value } = await this.#service.call(begin, { session: this.#session, name: safe, direction, keepMs });
    const policy = (tab.policy() as unknown as SettingValues<typeof manifest>).transfers; // it has those of all plugins
    const file = new OwnFile(this.#service, {
      session: this.#session,
      key: value.key,
      name: safe,
      policy,
      turns: this.#turns,
    });
    if (this.#files.size >= MAX_REMEMBERED)
      for (const [key, { state }] of this.#files)
        if (isOver(state) && state.is !== 'allowed' && this.#files.delete(key)) break;
    this.#files.set(file.key, file);
    return file;
  }

  get(key: string): OwnFile {
    const file = this.#files.get(key);
    if (!file) throw new AppError('file-unknown', 'There is no such file, or not any more.');
    return file;
  }

  async read(key: string, first: number, end: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const file = this.get(key);
    const params = { session: this.#session, key, first, end };
    const { body } = await this.#service.call(read, params, { signal }).catch((thrown: unknown) => {
      const { code } = toAppError(thrown);
      if (code === 'file-expired' || code === 'file-unknown') file.state = { is: 'failed', reason: code }; // its status says so
      throw thrown;
    });
    return body ?? nothing();
  }

  /** Has the files of the session removed. */
  dispose(): void {
    if (this.#files.size === 0) return;
    // Where nobody answers any more they are removed after their time.
    void this.#service.call(leave, { session: this.#session }).catch(() => undefined);
  }
}

interface DeskTurns {
  readonly receiving: Turns;
  readonly judging: Turns;
}

interface OwnFileFacts extends Pick<DeskFile, 'key' | 'name'> {
  readonly session: string;
  readonly policy: ScanPolicy;
  readonly turns: DeskTurns;
}

/** See {@link DeskFile}. */
class OwnFile implements DeskFile {
  readonly key: string;
  readonly name: string;
  size = 0;
  sha256: string | undefined;
  state: FileState = { is: 'growing' };
  #attempts = 0;
  readonly #service: ServiceClient;
  readonly #session: string;
  readonly #policy: ScanPolicy;
  readonly #turns: DeskTurns;

  constructor(service: ServiceClient, { session, key, name, policy, turns }: OwnFileFacts) {
    this.#service = service;
    this.#session = session;
    this.#policy = policy;
    this.#turns = turns;
    this.key = key;
    this.name = name;
  }

  async receive(
    bytes: AsyncIterable<Uint8Array>,
    { maxBytes, signal }: Parameters<DeskFile['receive']>[1],
  ): Promise<void> {
    using _turn = await this.#turns.receiving.next(signal);
    const parts = new Parts(bytes);
    try {
      while (!parts.isOver) {
        const params = { session: this.#session, key: this.key, offset: this.size, maxBytes };
        const options = { body: parts.next(), ...(signal && { signal }) };
        const { value } = await this.#service.call(append, params, options);
        this.size = value.size;
      }
    } catch (thrown) {
      await this.#look();
      throw thrown;
    } finally {
      parts.close();
    }
  }

  /** Finds out how much has come before the sender was cut. */
  async #look(): Promise<void> {
    const asked = this.#service.call(sizeOf, { session: this.#session, key: this.key });
    this.size = await asked.then(({ value }) => value.size).catch(() => this.size); // the file has failed: it is over
  }

  async bytes(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const params = { session: this.#session, key: this.key, first: 0, end: this.size };
    const { body } = await this.#service.call(read, params, { signal });
    return body ?? nothing();
  }

  async complete(): Promise<void> {
    const { value } = await this.#service.call(complete, { session: this.#session, key: this.key });
    this.size = value.size;
    this.sha256 = value.sha256;
    if (this.state.is === 'growing') this.state = { is: 'checking', checks: [] };
  }

  async judge({ password, signal }: Parameters<DeskFile['judge']>[0] = {}): Promise<FileFindings> {
    if (this.state.is === 'locked') this.state = { is: 'checking', checks: [] };
    using _turn = await this.#turns.judging.next(signal);
    const how = { ...judgedFor(this.#policy), ...(password !== undefined && { password }) };
    const params = { session: this.#session, key: this.key, ...how };
    const { body } = await this.#service.call(judge, params, signal ? { signal } : {});
    const findings = await readJudgement(body ?? nothing(), (checks) => {
      if (this.state.is === 'checking') this.state = { is: 'checking', checks };
    });
    signal?.throwIfAborted();
    await this.#decide(findings);
    return findings;
  }

  async #decide(findings: FileFindings): Promise<void> {
    if (this.state.is !== 'checking') return;
    const { checks } = findings;
    const decision = decide(findings, this.#policy);
    switch (decision.does) {
      case 'allow':
        this.state = { is: 'allowed', isScanned: decision.isScanned, checks };
        return;
      case 'ask':
        this.state = { is: 'locked', attempt: ++this.#attempts };
        return;
      case 'block':
        this.state = { is: 'blocked', reason: decision.reason, checks };
        await this.#remove();
    }
  }

  async end(state: Parameters<DeskFile['end']>[0]): Promise<void> {
    if (isOver(this.state) && this.state.is !== 'allowed') return;
    this.state = state;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const params = { session: this.#session, key: this.key };
    await this.#service.call(remove, params).catch((thrown: unknown) => toAppError(thrown)); // it is removed after its time
  }
}

const isOver = ({ is }: FileState): boolean => is !== 'growing' && is !== 'checking' && is !== 'locked';

async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}
