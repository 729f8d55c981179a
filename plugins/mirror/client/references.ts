import { RELATIONS } from '../relations.ts';

/** Gives an element others for an ARIA relation, by its number; none: what its attribute says. Browsers without such relations show none. */
export function refer(element: Element, relation: number, others: readonly Element[]): void {
  const [attribute, property] = RELATIONS[relation] ?? [];
  if (!property || !(property in Element.prototype)) return;
  if (others.length === 0) Element.prototype.setAttribute.call(element, attribute, '');
  else Reflect.set(Element.prototype, property, property.endsWith('Elements') ? others : others[0], element);
}
