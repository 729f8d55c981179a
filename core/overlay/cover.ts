/**
 * Puts a frame on top of everything else. Its siblings are inert while it is shown, and focus is restored afterwards (a `<dialog>` alone
 * does not keep Tab inside a frame). Returns a function that undoes it.
 */
export function coverWith(frame: HTMLIFrameElement): () => void {
  const { ownerDocument: document } = frame;
  const before = document.activeElement;
  const siblings = [...document.body.children].filter((element) => element !== frame && !element.hasAttribute('inert'));
  for (const sibling of siblings) sibling.setAttribute('inert', '');
  frame.hidden = false;
  return () => {
    frame.hidden = true;
    for (const sibling of siblings) sibling.removeAttribute('inert');
    if (before instanceof HTMLElement && before !== document.body) before.focus();
  };
}
