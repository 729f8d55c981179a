import { standBefore } from '../stand-before.ts';
import { lineToMain, lineToPage, ownLine } from '../line.ts';

/** Both ends of the line, in one world for once. */
export interface LineEntry {
  readonly lineToMain: typeof lineToMain;
  readonly lineToPage: typeof lineToPage;
  readonly ownLine: typeof ownLine;
  readonly standBefore: typeof standBefore;
}

declare global {
  interface Window {
    lineEntry: LineEntry;
  }
}

window.lineEntry = { lineToMain, lineToPage, ownLine, standBefore };
