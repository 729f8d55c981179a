import { AppError } from '../../../core/protocol/errors.ts';

/**
 * Interval of checks, in ms. What comes from the network comes through this process, so that it cannot be much faster than the checks; the rest,
 * such as `blob:` addresses, is on the disk or in memory before.
 */
const LOOK_MS = 100;

/** A download whose file the browser writes, or has written. */
export interface SavedDownload {
  /** Bytes that it should have, where the site says so. */
  readonly total: number | undefined;
  readonly isGrowing: boolean;
  /** Whether its file is kept: it is neither canceled nor removed. */
  readonly isThere: boolean;
  /** Bytes that it takes on the disk now. Never rejects. */
  sizeOnDisk(): Promise<number>;
  /** Cancels it; whoever reads it gets the error. Does nothing for one that is over. */
  stop(why: AppError): void;
}

/** The downloads of a browser that its cell still has to take: stops some before they are so large that the browser would be ended. */
export class DownloadRoom {
  readonly #most: number;
  /** Each with whether the person has acted before it. */
  readonly #downloads = new Map<SavedDownload, boolean>();
  #timer: NodeJS.Timeout | undefined;

  /** @param most bytes that they may have together */
  constructor(most: number) {
    this.#most = most;
  }

  add(download: SavedDownload, isAsked: boolean): void {
    this.#downloads.set(download, isAsked);
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    for (const download of this.#downloads.keys()) if (!download.isThere) this.#downloads.delete(download);
    const sized = await Promise.all(
      [...this.#downloads].map(async ([download, isAsked]) => ({
        download,
        isAsked,
        size: await download.sizeOnDisk(),
      })),
    );
    let sum = sized.reduce((all, { size }) => all + size, 0);
    // Those that nobody has asked for go first; of the others the largest, so that the fewest are hit.
    for (const { download, size } of sized.sort((a, b) => +a.isAsked - +b.isAsked || b.size - a.size)) {
      // A size that a site has only said counts for its own file alone: no page takes the room of another one by words.
      if (sum <= this.#most && (download.total ?? 0) <= this.#most) continue;
      if (!download.isGrowing) continue;
      download.stop(this.#full());
      sum -= size;
    }
    this.#timer = undefined;
    if ([...this.#downloads.keys()].some(({ isGrowing }) => isGrowing)) this.#lookLater();
  }

  #full(): AppError {
    return new AppError('downloads-full', 'There is no room for the download beside the others.', {
      data: { most: this.#most },
    });
  }
}
