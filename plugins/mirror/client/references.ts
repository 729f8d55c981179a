import { RELATIONS } from '../relations.ts';

/** Sets the elements of an ARIA relation, given by its index; without any, the attribute applies. Some browsers lack such relations. */
export function refer(element: Element, relation: number, others: readonly Element[]): void {
  const [attribute, property] = RELATIONS[relation] ?? [];
  if (!property || !(property in Element.prototype)) return;
  if (others.length === 0) Element.prototype.setAttribute.call(element, attribute, '');
  else Reflect.set(Element.prototype, property, property.endsWith('Elements') ? others : others[0], element);
}
