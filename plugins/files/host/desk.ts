import { AppError, toAppError, token } from '../../../host/plugin.ts';
import type { DeskFile, FileDesk, ServiceClient, SettingValues, SizeLimit } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import type { FilePolicy } from './decision.ts';
import { safeFileName } from './judge/file-name.ts';
import { begin, leave, read } from './methods.ts';
import { isGone, isOver, nothing, OwnFile } from './own-file.ts';
import type { DeskTurns } from './own-file.ts';
import { limitOf } from './rules/rules.ts';
import { Turns } from './turns.ts';

/** Files whose state is remembered; the oldest one that is over makes room. */
const MAX_REMEMBERED = 1000;
const MINUTE_MS = 60_000;
/**
 * Files of a session that are received, and that are judged, at a time: others of the calls that a person may have serve files meanwhile. While
 * others wait, those that are received take turns, and those of each tab have as many.
 */
const MAX_RECEIVED = 14;
const MAX_JUDGED = 2;
/** Files of a session that are removed at a time: the calls that a person may have are bounded. */
const MAX_REMOVED = 4;

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
  readonly #files = new Map<string, OwnFile>();
  readonly #turns: DeskTurns = {
    receiving: new Turns(MAX_RECEIVED),
    judging: new Turns(MAX_JUDGED),
    removing: new Turns(MAX_REMOVED),
  };

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  async begin(options: Parameters<FileDesk['begin']>[0]): Promise<DeskFile> {
    const { name, keepMinutes, tab, direction = 'down', addresses } = options;
    const keepMs = keepMinutes * MINUTE_MS;
    const safe = safeFileName(name);
    const { value } = await this.#service.call(begin, { name: safe, direction, keepMs });
    const file = new OwnFile(this.#service, {
      key: value.key,
      name: safe,
      direction,
      addresses,
      policy: policyOf(tab, addresses),
      turns: this.#turns,
      tab: tab.id,
    });
    if (this.#files.size >= MAX_REMEMBERED)
      for (const [key, { state }] of this.#files) if (isOver(state) && !isKept(state) && this.#files.delete(key)) break;
    this.#files.set(file.key, file);
    return file;
  }

  limitOf({ name, tab, direction = 'down', addresses }: Parameters<FileDesk['limitOf']>[0]): SizeLimit | undefined {
    return limitOf({ name: safeFileName(name), direction, addresses }, policyOf(tab, addresses).rules);
  }

  get(key: string): OwnFile {
    const file = this.#files.get(key);
    if (!file) throw new AppError('file-unknown', 'There is no such file, or not any more.');
    return file;
  }

  async read(key: string, first: number, end: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const file = this.get(key);
    const params = { key, first, end };
    const { body } = await this.#service.call(read, params, { signal, isForRoute: true }).catch((thrown: unknown) => {
      const { code } = toAppError(thrown);
      if (isGone(code)) file.state = { is: 'failed', reason: code }; // its status says so
      throw thrown;
    });
    return body ?? nothing();
  }

  /** Has the files of the session removed: its plugin may be switched off before the session is over. */
  dispose(): void {
    if (this.#files.size === 0) return;
    // Where nobody answers any more the end of the session removes them.
    void this.#service.call(leave, {}).catch(() => undefined);
  }
}

/** The strictest of all sites that have to do with the file. It has those of all plugins. */
const policyOf = (tab: Parameters<FileDesk['begin']>[0]['tab'], addresses: readonly string[]): FilePolicy =>
  (tab.policy(addresses) as unknown as SettingValues<typeof manifest>).transfers;

/** Whether the store still has its bytes. */
const isKept = ({ is }: OwnFile['state']): boolean => is === 'allowed' || is === 'quarantined';
