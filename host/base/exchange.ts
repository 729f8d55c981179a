import path from 'node:path';

/** Folders for the files that a cell and its browser hand to each other. */
export interface ExchangeFolder {
  readonly folder: string;
  /** The browser saves downloads here; the cell reads and removes them. */
  readonly down: string;
  /** The cell puts files here for pages; the browser reads them. */
  readonly up: string;
}

/** Names the parts of an exchange folder. */
export function exchangeParts(folder: string): ExchangeFolder {
  return { folder, down: path.join(folder, 'down'), up: path.join(folder, 'up') };
}
