import path from 'node:path';

/** Folders for the files that a cell and its browser hand to each other. */
export interface ExchangeFolder {
  readonly folder: string;
  /** The browser saves downloads here; the cell reads and removes them. */
  readonly down: string;
  /** The cell puts files here for pages; the browser reads them. */
  readonly up: string;
}

/** The folder of a browser, as its cell hears of it. */
export interface OfferedExchange {
  readonly folder: string;
  /** Bytes that the files in each of its two parts may have on the disk: at somewhat more the browser is ended. */
  readonly bytes: number;
}

/** Names the parts of an exchange folder. */
export function exchangeParts(folder: string): ExchangeFolder {
  return { folder, down: path.join(folder, 'down'), up: path.join(folder, 'up') };
}
