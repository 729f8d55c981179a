import type { AnyManifest } from './manifest.ts';

/** A page half and what it belongs to. */
export interface PageHalf {
  readonly manifest: AnyManifest;
  /** What the half exports under this name: see `ActivatePage`. */
  readonly activate: unknown;
}

/**
 * The one global of the page halves' world, `vitrinePage`, which no script of the page can see. The host evaluates
 * `vitrinePage.receive(json)` to hand over a packet, and calls `vitrinePage.idOf(element)` on an element that it has
 * resolved into the world; the page half answers through the binding `PAGE_BINDING`. Content scripts that follow in
 * the same world, those of plugins that are built apart, join with `add` and share `entry`.
 */
export interface PageGlobal {
  /** What `core/page.ts` exports: one copy for all halves. */
  readonly entry: object;
  /** Activates a page half. One that fails, or whose messages are taken, is undone and reported. */
  add(half: PageHalf): void;
  receive(json: string): void;
  /** `[epoch, id]`, or null while the node has not been sent (again after the next flush) or is not part of the page. */
  idOf(node: unknown): [epoch: number, id: number] | null;
}
