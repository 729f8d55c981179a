/** Whether an edit of an element is text of the person's. What replaces the text of a field may be what the browser keeps for it. */
export function isTyped(
  { inputType, isTrusted }: Pick<InputEvent, 'inputType' | 'isTrusted'>,
  element: object,
): boolean {
  return isTrusted && (inputType === 'insertText' || (inputType === 'insertReplacementText' && !('value' in element)));
}
