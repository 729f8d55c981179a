import { toAppError } from '../../../core/protocol/errors.ts';
import type { World } from './frames.ts';

/** A node by its kernel's id. */
export interface NodeName {
  readonly epoch: number;
  readonly node: number;
}

/** Runs on a node in the page halves' world, where the kernel defines `vitrinePage`. */
const ID_OF = 'function () { return globalThis.vitrinePage?.idOf(this) ?? null; }';
const GROUP = 'vitrine-nodes';

/**
 * Asks a world's kernel for the id of one of its frame's nodes. Undefined: the node was removed, or has not been sent
 * yet; asking assigns no id.
 */
export async function nodeOf(world: World, backendNodeId: number): Promise<NodeName | undefined> {
  const { session, contextId } = world;
  try {
    const { object } = await session.send('DOM.resolveNode', {
      backendNodeId,
      executionContextId: contextId,
      objectGroup: GROUP,
    });
    if (object.objectId === undefined) return undefined;
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: ID_OF,
      returnByValue: true,
    });
    void session.send('Runtime.releaseObject', { objectId: object.objectId }).catch(() => undefined); // released with its document
    return nameFrom(result.value);
  } catch (thrown) {
    return goneOr(thrown);
  }
}

/**
 * Returns undefined where an answer came too late: the node, its frame or its page is gone. Other errors are thrown.
 */
export function goneOr(thrown: unknown): undefined {
  if (!['cdp-error', 'cdp-closed'].includes(toAppError(thrown).code)) throw thrown;
}

/** Data from a page's process is untrusted. */
function nameFrom(value: unknown): NodeName | undefined {
  if (!Array.isArray(value)) return undefined;
  const [epoch, node] = value as unknown[];
  return Number.isSafeInteger(epoch) && Number.isSafeInteger(node) && (node as number) > 0
    ? { epoch: epoch as number, node: node as number }
    : undefined;
}
