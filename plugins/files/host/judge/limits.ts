/** Bounds on the work that an archive can ask for. */
export interface ArchiveLimits {
  /** Archives within archives. */
  readonly depth: number;
  /** Members of all archives in a file together. */
  readonly entries: number;
  /** Unpacked bytes for each byte of the file, once more than `ratioFromBytes` are unpacked. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Unpacked bytes of all archives in a file together. */
  readonly unpackedBytes: number;
  /** Bytes in memory of archives within archives, which need random access. */
  readonly nestedBytes: number;
}

/** Bounds where nobody says otherwise: past what people's archives need, below what hurts. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  depth: 5,
  entries: 10_000,
  ratio: 200,
  ratioFromBytes: 10 * 1_048_576,
  unpackedBytes: 2 * 1_073_741_824,
  nestedBytes: 64 * 1_048_576,
};
