const FOCUSABLE = 'a[href],button,input,select,textarea,iframe,[tabindex]';

/**
 * Moves the focus from the page to the next part of the shell after the view, or before it; round at the end, and out of the view if there
 * is none.
 */
export function leaveView(view: HTMLElement, isBackward: boolean): void {
  const { activeElement } = view.ownerDocument;
  const all = [...view.ownerDocument.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) =>
      !view.contains(element) &&
      element.tabIndex >= 0 &&
      element.matches(':enabled, a, iframe, [tabindex]') &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true }),
  );
  const isAfter = (element: Element): boolean =>
    (view.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const round = [...all.filter(isAfter), ...all.filter((element) => !isAfter(element))];
  if (view.contains(activeElement)) (activeElement as HTMLElement).blur(); // a frame of the view
  (isBackward ? round.at(-1) : round[0])?.focus();
}
