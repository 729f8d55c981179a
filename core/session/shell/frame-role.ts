/** Roles of our documents (M-028): the shell, the mirrored page, a hidden frame for messages, a frame of the page, the helper. */
const FRAME_ROLES = ['top', 'main', 'comm', 'sub', 'cof-server'] as const;
type FrameRole = (typeof FRAME_ROLES)[number];

/**
 * The role of a document, from its root element's `data-vitrine-role` (`role` itself belongs to ARIA). Documents of the view have no
 * attributes of ours, because their root is the page's markup: the element that contains them has the role.
 */
export function frameRole(document: Document): FrameRole | undefined {
  const named = document.documentElement.dataset['vitrineRole'];
  if (named !== undefined) return FRAME_ROLES.find((role) => role === named);
  const view = document.defaultView?.frameElement?.getAttribute('data-vitrine-frame');
  return view == null ? undefined : view === 'main' ? 'main' : 'sub';
}
