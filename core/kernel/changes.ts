import { isOpaque } from './content.ts';
import { dom } from './dom.ts';
import type { Entry, Ids } from './ids.ts';

/** Changes of sent nodes since the last flush; each is recorded once, however often it occurred. */
export class Changes {
  /** Parents whose child list has changed. */
  readonly parents = new Set<Entry>();
  /** Elements whose attributes have changed, with {@link attributeKey}s. */
  readonly attributes = new Map<Entry, string[]>();
  /** Text nodes whose data has changed. */
  readonly texts = new Set<Entry>();
  /** Elements whose content changed, where that content is not part of the tree. */
  readonly contents = new Set<Entry>();

  /** Adds the changes from mutation records. */
  add(records: readonly MutationRecord[], ids: Ids): void {
    for (const { type, target, attributeName, attributeNamespace } of records) {
      const entry = ids.of(target);
      if (type === 'characterData') this.#text(target, entry, ids);
      else if (!entry) continue;
      else if (type === 'attributes') this.#attribute(entry, attributeKey(attributeName ?? '', attributeNamespace));
      else if (dom.isElement(target) && isOpaque(target)) this.contents.add(entry);
      else this.parents.add(entry);
    }
  }

  clear(): void {
    this.parents.clear();
    this.attributes.clear();
    this.texts.clear();
    this.contents.clear();
  }

  #attribute(entry: Entry, key: string): void {
    const keys = this.attributes.get(entry);
    if (!keys) this.attributes.set(entry, [key]);
    else if (!keys.includes(key)) keys.push(key);
  }

  #text(target: Node, entry: Entry | undefined, ids: Ids): void {
    if (entry) {
      this.texts.add(entry);
      return;
    }
    const parent = dom.parentNode(target);
    const owner = parent && ids.of(parent);
    if (owner && dom.isElement(owner.node) && isOpaque(owner.node)) this.contents.add(owner);
  }
}

/** An attribute's namespace and local name in one string. A name cannot contain a line break. */
function attributeKey(name: string, namespace: string | null): string {
  return namespace === null ? name : `${namespace}\n${name}`;
}

/** Splits an {@link attributeKey} into name and namespace. */
export function splitAttributeKey(key: string): [name: string, namespace: string | null] {
  const at = key.lastIndexOf('\n');
  return at < 0 ? [key, null] : [key.slice(at + 1), key.slice(0, at)];
}
