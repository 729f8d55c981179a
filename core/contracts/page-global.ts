import type { AnyManifest } from './manifest.ts';

/** A page half with its plugin. */
export interface PageHalf {
  readonly manifest: AnyManifest;
  /** The half's `activate` export: see `ActivatePage`. */
  readonly activate: unknown;
}

/**
 * The only global of the page halves' world, `vitrinePage`. No script of the page can see it. The host evaluates
 * `vitrinePage.receive(json)` to send a packet, and calls `vitrinePage.idOf(element)` on an element that it has resolved into the world.
 * The page half answers through the binding `PAGE_BINDING`. Later content scripts in the same world (plugins that are built separately)
 * register with `add` and share `entry`.
 */
export interface PageGlobal {
  /** The exports of `core/page.ts`: one copy for all halves. */
  readonly entry: object;
  /** Activates a page half. A half that fails, or whose messages are already handled, is undone and reported. */
  add(half: PageHalf): void;
  receive(json: string): void;
  /** `[epoch, id]`. Null while the node has not been sent (retry after the next flush) or is not part of the page. */
  idOf(node: unknown): [epoch: number, id: number] | null;
}
