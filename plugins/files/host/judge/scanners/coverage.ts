import type { FileType } from '../format/file-groups.ts';
import type { Wrapping } from './wrappings.ts';

/** Facts about a scanner that it has shown with the EICAR test file. */
export interface Coverage {
  /** Wrappings in which it finds the test file. */
  readonly wrappings: readonly Wrapping[];
  /** Longest file in which it still finds it, in bytes. */
  readonly fileBytes: number;
  /** Longest member of an archive in which it still finds it, in bytes. */
  readonly memberBytes: number;
  /** Wrappings whose clean twin it calls infected. */
  readonly falsePositives: readonly Wrapping[];
}

/** The wrapping that stands for a type: how a scanner treats the one says how it treats the other. */
function wrappingOf(type: FileType, depth: number): Wrapping | undefined {
  if (depth > 3) return undefined;
  if (type.extension === 'pdf') return depth <= 1 ? 'pdf' : undefined;
  if (type.container === 'zip') {
    if (type.group === 'document') return depth <= 1 ? 'office' : undefined;
    return depth <= 1 ? 'zip' : depth === 2 ? 'zip2' : 'zip3';
  }
  if (type.container === 'gzip') return depth <= 1 ? 'gzip' : depth === 2 ? 'tar.gz' : undefined;
  if (type.container === 'tar') return depth <= 1 ? 'tar.gz' : undefined;
  if (type.group === 'archive') return undefined;
  // Old Office files are containers too.
  return type.group === 'document' ? 'office' : 'plain';
}

/**
 * Whether a scanner's "clean" about a file counts.
 *
 * @param size the longest that it has to look at, in bytes: the file, or the longest member in it
 * @param depth archives around what it has to look at, itself included: 0 where only the file's own bytes count
 */
export function covers(coverage: Coverage, type: FileType, size: number, depth: number): boolean {
  const most = depth > 0 ? Math.min(coverage.fileBytes, coverage.memberBytes) : coverage.fileBytes;
  const wrapping = wrappingOf(type, depth);
  return wrapping !== undefined && coverage.wrappings.includes(wrapping) && size <= most;
}
