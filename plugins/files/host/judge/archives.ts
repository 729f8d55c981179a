import { createGunzip } from 'node:zlib';
import { AppError, quotable, toAppError } from '../../../../host/plugin.ts';
import { isDocumentEncrypted } from './encryption.ts';
import { memoryFile, peek } from './format/file-bytes.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { fileType, HEAD_BYTES } from './file-type.ts';
import type { FileType } from './format/file-groups.ts';
import { through } from './format/through.ts';
import type { ArchiveLimits } from './limits.ts';
import { readTar } from './tar.ts';
import { readZipDirectory } from './zip-directory.ts';
import { isEncrypted, isUnknownMethod, readZipEntry } from './zip-member.ts';

/** Problems that are kept; the count goes on. */
const MAX_PROBLEMS = 20;
/** Longest path in a report, in characters. */
const MAX_PATH = 200;

/** Something in an archive that keeps it from being judged, or that judges it. */
interface ArchiveProblem {
  readonly kind: 'suspicious' | 'not-scanned' | 'needs-password' | 'wrong-password' | 'unopenable';
  /** Path of the member, with those of the archives around it. */
  readonly path: string;
  readonly detail: string;
}

/** A file in an archive. */
export interface ArchiveMember {
  readonly path: string;
  /** Length in bytes as the archive says; undefined where it says none. */
  readonly size: number | undefined;
  readonly type: FileType;
  /** Archives around it, at least 1. */
  readonly depth: number;
  /** Whether a password was needed to read it. */
  readonly wasEncrypted: boolean;
  /** Whether its own members are visited too. */
  readonly isArchive: boolean;
}

/** Everything that {@link walkArchive} needs. */
export interface ArchiveWalk {
  readonly limits: ArchiveLimits;
  readonly password?: string;
  readonly signal: AbortSignal;
  /** Sees each member; may leave the stream where it likes. A rejection ends the walk. */
  visit(member: ArchiveMember, stream: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Outcome of a walk. */
export interface ArchiveReport {
  readonly members: number;
  readonly problems: readonly ArchiveProblem[];
  /** Whether the password opened something. */
  readonly opened: boolean;
}

/** Where a walk stands: the archive, those around it, and whether a password opened one of them. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly wasEncrypted: boolean;
}

/** Archives whose members we do not read. */
function isUnreadArchive(type: FileType): boolean {
  return type.group === 'archive' && type.container === undefined;
}

class Walker {
  readonly problems: ArchiveProblem[] = [];
  members = 0;
  opened = false;
  readonly #walk: ArchiveWalk;
  readonly #fileBytes: number;
  #unpacked = 0;
  #nested = 0;

  constructor(walk: ArchiveWalk, fileBytes: number) {
    this.#walk = walk;
    this.#fileBytes = fileBytes;
  }

  problem(kind: ArchiveProblem['kind'], path: string, detail: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ kind, path: quotable(path, MAX_PATH), detail });
  }

  /** Notes a fault of an archive or of a member; one of a visitor, or of the whole walk, goes on. */
  fault(thrown: unknown, path: string): void {
    const { code, message } = toAppError(thrown, 'other');
    if (code === 'archive-lies') this.problem('suspicious', path, message);
    else if (code === 'archive-damaged') this.problem('not-scanned', path, message);
    else if (code === 'wrong-password') this.problem('wrong-password', path, message);
    else throw thrown;
  }

  async archive(file: FileBytes, type: FileType, place: Place): Promise<void> {
    if (place.depth > this.#walk.limits.depth) {
      this.problem('not-scanned', place.path, `archives are nested more than ${this.#walk.limits.depth} deep`);
      return;
    }
    try {
      if (type.container === 'zip') await this.#zip(file, place);
      else await this.#stream(file.stream(), type, place);
    } catch (error) {
      this.fault(error, place.path);
    }
  }

  async #zip(file: FileBytes, place: Place): Promise<void> {
    const { limits, password } = this.#walk;
    const directory = await readZipDirectory(file, limits.entries - this.members);
    if (directory.lies !== undefined) throw new AppError('archive-lies', directory.lies);
    for (const entry of directory.entries) {
      if (entry.isFolder) continue;
      const path = place.path + entry.path;
      if (isUnknownMethod(entry)) this.problem('not-scanned', path, 'packed in a way that is not read');
      else if (isEncrypted(entry) && password === undefined) this.problem('needs-password', path, 'encrypted');
      else await this.#zipMember(file, entry, path, place);
    }
  }

  async #zipMember(
    file: FileBytes,
    entry: Parameters<typeof readZipEntry>[1],
    path: string,
    place: Place,
  ): Promise<void> {
    try {
      const wasEncrypted = place.wasEncrypted || isEncrypted(entry);
      const content = this.#counted(readZipEntry(file, entry, this.#walk.password));
      await this.#member(content, entry.size, { path, depth: place.depth, wasEncrypted });
      if (isEncrypted(entry)) this.opened = true;
    } catch (error) {
      this.fault(error, path);
    }
  }

  /** A tar file, or what a gzip file holds. */
  async #stream(source: AsyncIterable<Uint8Array>, type: FileType, place: Place): Promise<void> {
    if (type.container === 'gzip') {
      await this.#member(this.#counted(gunzip(source)), undefined, { ...place, path: `${place.path}content` });
      return;
    }
    for await (const member of readTar(source)) {
      const path = place.path + member.path;
      if (!member.isKnown) this.problem('not-scanned', path, 'a kind of member that is not read');
      await this.#member(member.data, member.size, { ...place, path });
    }
  }

  /** Passes what is unpacked, until there is too much of it. */
  async *#counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { limits, signal } = this.#walk;
    for await (const chunk of source) {
      signal.throwIfAborted();
      this.#unpacked += chunk.length;
      if (this.#unpacked > limits.unpackedBytes)
        throw new AppError('archive-limit', `unpacks to more than ${limits.unpackedBytes} bytes`);
      if (this.#unpacked > limits.ratioFromBytes && this.#unpacked > limits.ratio * this.#fileBytes) {
        throw new AppError('archive-limit', `unpacks to more than ${limits.ratio} times its length`);
      }
      yield chunk;
    }
  }

  async #member(source: AsyncIterable<Uint8Array>, size: number | undefined, place: Place): Promise<void> {
    const { limits, signal, visit } = this.#walk;
    signal.throwIfAborted();
    this.members += 1;
    if (this.members > limits.entries) throw new AppError('archive-limit', `more than ${limits.entries} entries`);
    const { head, stream } = await peek(source, HEAD_BYTES);
    const guess = await fileType(memoryFile(head));
    const inner: Place = { ...place, path: `${place.path}/`, depth: place.depth + 1 };
    const shown = (type: FileType, isArchive: boolean): ArchiveMember => ({ ...place, size, type, isArchive });
    if (guess.container === 'gzip' || guess.container === 'tar') {
      if (inner.depth > limits.depth) {
        this.problem('not-scanned', place.path, `archives are nested more than ${limits.depth} deep`);
        await visit(shown(guess, false), stream);
      } else await this.#stream(stream, guess, inner).catch((error: unknown) => this.fault(error, place.path));
      return;
    }
    if (guess.container !== 'zip' && guess.group !== 'document') {
      if (isUnreadArchive(guess)) this.problem('not-scanned', place.path, `${guess.extension} archives are not read`);
      await visit(shown(guess, false), stream);
      for await (const _ of stream); // its checksum stands at its end
      return;
    }
    await this.#buffered(stream, guess, shown, inner);
  }

  /** A member that is read by place: in memory, within the bound for all of them. */
  async #buffered(
    stream: AsyncIterable<Uint8Array>,
    guess: FileType,
    shown: (type: FileType, isArchive: boolean) => ArchiveMember,
    inner: Place,
  ): Promise<void> {
    const before = this.#nested;
    const { head, whole, stream: again } = await peek(stream, this.#walk.limits.nestedBytes - before);
    const path = inner.path.slice(0, -1);
    if (!whole) {
      if (guess.container) this.problem('not-scanned', path, 'too long to be opened within an archive');
      if (await isDocumentEncrypted(memoryFile(head))) this.problem('unopenable', path, 'an encrypted document');
      await this.#walk.visit(shown(guess, false), again);
      for await (const _ of again);
      return;
    }
    this.#nested += head.length;
    try {
      const file = memoryFile(head);
      const type = await fileType(file);
      if (await isDocumentEncrypted(file)) this.problem('unopenable', path, 'an encrypted document');
      await this.#walk.visit(shown(type, type.container !== undefined), file.stream());
      if (type.container) await this.archive(file, type, inner);
    } finally {
      this.#nested = before;
    }
  }
}

async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* through(source, createGunzip());
  } catch (error) {
    const known = toAppError(error);
    throw known.code === 'internal'
      ? new AppError('archive-damaged', 'the compressed data are damaged', { cause: error })
      : known;
  }
}

/**
 * Shows each member of an archive, and of the archives in it, to a visitor as a stream. Memory and time are bounded by the limits; what is past them,
 * damaged, encrypted or of a kind that is not read is in the report.
 *
 * @param type the file's, by {@link fileType}
 * @throws whatever the visitor throws, and the reason of `signal`
 */
export async function walkArchive(file: FileBytes, type: FileType, walk: ArchiveWalk): Promise<ArchiveReport> {
  const walker = new Walker(walk, file.size);
  if (isUnreadArchive(type)) walker.problem('not-scanned', '', `${type.extension} archives are not read`);
  try {
    if (type.container) await walker.archive(file, type, { path: '', depth: 1, wasEncrypted: false });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'archive-limit') throw error;
    walker.problem('not-scanned', '', error.message);
  }
  const { members, problems, opened } = walker;
  return { members, problems, opened };
}
