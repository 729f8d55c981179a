const FOCUSABLE = 'a[href],button,input,select,textarea,iframe,[tabindex]';

/**
 * Moves the focus from the page to the next part of the shell after the view, or before it; round at the end, and out of the view if there
 * is none.
 */
export function leaveView(view: HTMLElement, isBackward: boolean): void {
  const all = [...view.ownerDocument.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const at = all.indexOf(view);
  const round = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter(
    (element) =>
      element !== view &&
      element.tabIndex >= 0 &&
      element.matches(':enabled, a, iframe, [tabindex]') &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true }),
  );
  view.blur();
  (isBackward ? round.at(-1) : round[0])?.focus();
}
