import { createGunzip } from 'node:zlib';
import { AppError, quotable, toAppError } from '../../../../host/plugin.ts';
import { isDocumentEncrypted } from './encryption.ts';
import { memoryFile, peek } from './format/file-bytes.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { fileType, HEAD_BYTES } from './file-type.ts';
import type { FileType, Inside } from './format/file-groups.ts';
import { through } from './format/through.ts';
import type { ArchiveLimits } from './limits.ts';
import { readMail } from './mail.ts';
import { readPdf, readPdfStream } from './pdf-streams.ts';
import { readTar } from './tar.ts';
import { readZipDirectory } from './zip-directory.ts';
import { isEncrypted, isUnknownMethod, readZipEntry } from './zip-member.ts';
import { hasZipTail, tailOf } from './zip-tail.ts';

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
  /** Whether it stands in a file that scanners do not take for an archive. */
  readonly isHidden: boolean;
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

/** Where a walk stands: the archive, those around it, and whether a password opened one of them, or none but we reads one. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly wasEncrypted: boolean;
  readonly isHidden: boolean;
}

/** A member as a visitor sees it. */
type Shown = (type: FileType, isArchive: boolean) => ArchiveMember;

/** Files that hold others, whatever their group is. */
const STORES = new Set(['chm', 'deb', 'msg', 'pst', 'rpm']);

/** Archives whose members we do not read. */
function isUnreadArchive(type: FileType): boolean {
  return type.container === undefined && (type.group === 'archive' || STORES.has(type.extension));
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
    const fault = (error: unknown): void => this.fault(error, place.path);
    if (type.container === 'zip') await this.#zip(file, place).catch(fault);
    else if (type.container) await this.#stream(file.stream(), type, place).catch(fault);
    for (const inside of type.inside ?? []) await this.#inside(file, type, inside, place).catch(fault);
  }

  async #inside(file: FileBytes, type: FileType, inside: Inside, place: Place): Promise<void> {
    if (inside === 'zip') {
      // Archives and documents may store other archives as they are, before the last one.
      const isStore = type.group === 'archive' || type.group === 'document' || type.extension === 'msi';
      await this.#zip(file, { ...place, isHidden: true }, !isStore);
    } else if (inside === 'pdf') await this.#pdf(file, place);
    else {
      let number = 0;
      const problem = (text: string): void => this.problem('not-scanned', place.path, text);
      for await (const { data } of readMail(file.stream(), problem)) {
        const path = `${place.path}part ${(number += 1)}`;
        await this.#member(this.#counted(data), undefined, { ...place, path, isHidden: true });
      }
    }
  }

  /** A PDF that may hold files: each of its streams may be one, and scanners that read PDF leave out the long ones. */
  async #pdf(file: FileBytes, place: Place): Promise<void> {
    const { streams, mayEmbed, mayBeUnread } = await readPdf(file, (bytes) => this.#take(bytes));
    if (!mayEmbed) return;
    if (mayBeUnread)
      this.problem('not-scanned', place.path, 'files in the PDF may be packed in a way that is not read');
    for (const [index, stream] of streams.entries()) {
      const content = this.#counted(readPdfStream(file, stream));
      await this.#member(content, stream.size, { ...place, path: `${place.path}stream ${index + 1}` });
    }
  }

  #take(bytes: number): void {
    const { limits, signal } = this.#walk;
    signal.throwIfAborted();
    this.#unpacked += bytes;
    if (this.#unpacked > limits.unpackedBytes)
      throw new AppError('archive-limit', `unpacks to more than ${limits.unpackedBytes} bytes`);
  }

  async #zip(file: FileBytes, place: Place, isPrefixChecked = true): Promise<void> {
    const { limits, password } = this.#walk;
    const directory = await readZipDirectory(file, limits.entries - this.members, isPrefixChecked);
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
      await this.#member(content, entry.size, { ...place, path, wasEncrypted });
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
    const { limits } = this.#walk;
    for await (const chunk of source) {
      this.#take(chunk.length);
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
    const { head, whole, stream } = await peek(source, HEAD_BYTES);
    const guess = await fileType(memoryFile(head));
    const inner: Place = { ...place, path: `${place.path}/`, depth: place.depth + 1 };
    const shown: Shown = (type, isArchive) => ({ ...place, size, type, isArchive });
    if (guess.container === 'gzip' || guess.container === 'tar') {
      if (inner.depth > limits.depth) {
        this.problem('not-scanned', place.path, `archives are nested more than ${limits.depth} deep`);
        await visit(shown(guess, false), stream);
      } else await this.#stream(stream, guess, inner).catch((error: unknown) => this.fault(error, place.path));
      return;
    }
    if (whole) await this.#visited(memoryFile(head), guess, shown, inner);
    else await this.#buffered(stream, guess, shown, inner);
  }

  /** A member that may have to be read by place: in memory, within the bound for all of them. */
  async #buffered(stream: AsyncIterable<Uint8Array>, guess: FileType, shown: Shown, inner: Place): Promise<void> {
    const before = this.#nested;
    const { head, whole, stream: again } = await peek(stream, this.#walk.limits.nestedBytes - before);
    if (whole) {
      this.#nested += head.length;
      const file = memoryFile(head);
      try {
        await this.#visited(file, await fileType(file), shown, inner);
      } finally {
        this.#nested = before;
      }
      return;
    }
    const path = inner.path.slice(0, -1);
    await this.#noteUnread(memoryFile(head), guess, path);
    const { stream: watched, tail } = tailOf(again);
    await this.#walk.visit(shown(guess, false), watched);
    for await (const _ of watched); // its checksum stands at its end
    const isOpened = guess.container !== undefined || guess.inside?.some((inside) => inside !== 'zip') === true;
    if (isOpened || (await hasZipTail(memoryFile(tail()), true)))
      this.problem('not-scanned', path, 'too long to be opened within an archive');
  }

  async #visited(file: FileBytes, type: FileType, shown: Shown, inner: Place): Promise<void> {
    await this.#noteUnread(file, type, inner.path.slice(0, -1));
    await this.#walk.visit(shown(type, type.container !== undefined), file.stream());
    if (type.container || type.inside) await this.archive(file, type, inner);
  }

  async #noteUnread(file: FileBytes, type: FileType, path: string): Promise<void> {
    if (await isDocumentEncrypted(file)) this.problem('unopenable', path, 'an encrypted document');
    if (isUnreadArchive(type)) this.problem('not-scanned', path, `${type.extension} archives are not read`);
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
    if (type.container || type.inside)
      await walker.archive(file, type, { path: '', depth: 1, wasEncrypted: false, isHidden: false });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'archive-limit') throw error;
    walker.problem('not-scanned', '', error.message);
  }
  const { members, problems, opened } = walker;
  return { members, problems, opened };
}
