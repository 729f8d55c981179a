/**
 * ARIA attributes that name other elements, and the properties by which script sets the elements themselves: the attribute is empty
 * then. The `refer` op names a relation by its index.
 */
export const RELATIONS = [
  ['aria-activedescendant', 'ariaActiveDescendantElement'],
  ['aria-controls', 'ariaControlsElements'],
  ['aria-describedby', 'ariaDescribedByElements'],
  ['aria-details', 'ariaDetailsElements'],
  ['aria-errormessage', 'ariaErrorMessageElements'],
  ['aria-flowto', 'ariaFlowToElements'],
  ['aria-labelledby', 'ariaLabelledByElements'],
  ['aria-owns', 'ariaOwnsElements'],
] as const;

const ATTRIBUTES: ReadonlySet<string> = new Set(RELATIONS.map(([attribute]) => attribute));

/** Whether an attribute names other elements. */
export function isRelation(attribute: string): boolean {
  return attribute.startsWith('aria-') && ATTRIBUTES.has(attribute);
}
