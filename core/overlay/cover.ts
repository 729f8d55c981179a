/**
 * Lays a frame over everything else: its siblings are inert while it is shown, and the focus goes back to where it was (a `<dialog>`
 * alone does not hold Tab inside a frame). Answers with the undo.
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
