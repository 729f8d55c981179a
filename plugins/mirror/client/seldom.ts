import { OP } from '../ops.ts';
import type { Op } from '../ops.ts';
import { highlight } from './highlights.ts';
import type { Realm } from './realm.ts';
import { refer } from './references.ts';
import type { Stream } from './stream.ts';
import { follow } from './transitions.ts';
import type { Tree } from './tree.ts';

/**
 * Applies an op that few pages need; the stream stands behind its code. Resolves when the document may be changed further.
 *
 * @throws RangeError when the op is malformed.
 */
export async function applySeldom(realm: Realm, tree: Tree, op: Op, stream: Stream): Promise<void> {
  const [code, id = 0, relation = 0, ...others] = op;
  switch (code) {
    case OP.highlight:
      highlight(realm, stream.text(), op, (node) => tree.node(node));
      return;
    case OP.refer:
      refer(
        tree.element(id),
        relation,
        others.flatMap((other) => tree.element(other) ?? []),
      );
      return;
    case OP.transition: {
      const phase = stream.next();
      const types: string[] = [];
      while (!stream.isAtEnd) types.push(stream.text());
      await follow(realm.document, phase, types);
    }
  }
}
