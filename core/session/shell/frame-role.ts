/** What a document of ours is for (M-028): the shell, the mirrored page, a hidden frame for messages, a frame of the page, the helper. */
const FRAME_ROLES = ['top', 'main', 'comm', 'sub', 'cof-server'] as const;
type FrameRole = (typeof FRAME_ROLES)[number];

/**
 * The role that a document's root element names, by `data-vitrine-role`: `role` itself is ARIA's. Documents of the view carry nothing of
 * ours, as the page's own markup has their root: the element that shows them says which they are.
 */
export function frameRole(document: Document): FrameRole | undefined {
  const named = document.documentElement.dataset['vitrineRole'];
  if (named !== undefined) return FRAME_ROLES.find((role) => role === named);
  const view = document.defaultView?.frameElement?.getAttribute('data-vitrine-frame');
  return view == null ? undefined : view === 'main' ? 'main' : 'sub';
}
