import type { ActivateMain } from '../../../core/main.ts';

/** Lays the document out when the page half asks for it, as if the page had (`PageLayout`). */
export const activate: ActivateMain = (line) => {
  const { apply } = Reflect;
  const { getBoundingClientRect } = Element.prototype;
  const ownDocument = document;
  const rootOf = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement')?.get;
  line.on('lay-out', () => {
    const root: unknown = rootOf && apply(rootOf, ownDocument, []);
    if (root) apply(getBoundingClientRect, root, []);
  });
};
