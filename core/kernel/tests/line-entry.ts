import { interceptMethod } from '../intercept-method.ts';
import { lineToMain, lineToPage, ownLine } from '../line.ts';

/** Both ends of the line, here in one world. */
export interface LineEntry {
  readonly lineToMain: typeof lineToMain;
  readonly lineToPage: typeof lineToPage;
  readonly ownLine: typeof ownLine;
  readonly interceptMethod: typeof interceptMethod;
}

declare global {
  interface Window {
    lineEntry: LineEntry;
  }
}

window.lineEntry = { lineToMain, lineToPage, ownLine, interceptMethod };
