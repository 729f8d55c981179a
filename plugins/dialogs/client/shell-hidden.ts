/**
 * Whether nothing of the shell is displayed, and no dialog of its own: an extension of the person's browser, or a style sheet of theirs, hides its
 * body (S-017). The page would wait for an answer that nobody can give.
 */
export function isShellHidden(): boolean {
  return getComputedStyle(document.body).display === 'none';
}
