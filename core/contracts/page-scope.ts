import type { Kernel } from './kernel.ts';
import type { Line } from './main-half.ts';
import type { Commands, Log } from './scope.ts';

/** API of a page half. Messages go to the host half of the same plugin. All registrations are undone on disposal. */
export interface PageScope {
  readonly plugin: { readonly id: string };
  readonly commands: Commands;
  readonly kernel: Kernel;
  /** Connection to the plugin's main half in the page's own world. Data from there may come from the page. */
  readonly main: Line;
  readonly log: Log;
  readonly signal: AbortSignal;
  onDispose(undo: () => void): void;
}

/** A page half exports `activate`. */
export type ActivatePage = (scope: PageScope) => void;
