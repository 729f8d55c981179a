import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';

/** Elements that show a picture: their menu can save or copy it. */
const PICTURES: readonly (string | undefined)[] = ['img', 'image', 'picture', 'canvas', 'svg', 'video'];

/** Blocks the browser's context menu where the policy requires it: on pictures, or everywhere (R-065, S-102). */
export const activate: ActivateClient<typeof manifest> = (scope) => {
  let notice: Promise<() => void> | undefined;
  const onMenu = (event: MouseEvent): void => {
    const { copy_paste_policy: copy, session_settings: settings } = scope.session.siteCapabilities();
    const isForCopy =
      copy?.disable_all_ctx_menu_for_copy === true ||
      (copy?.disable_img_ctx_menu_for_copy === true && isOnPicture(event));
    if (!isForCopy && settings?.disable_all_context_menus !== true) return;
    event.preventDefault();
    if (!isForCopy) return;
    notice ??= import('./notice.ts').then(({ makeNotice }) => makeNotice(scope));
    void notice.then((show) => show());
  };
  scope.onDispose(
    scope.services.get(rendererToken).documents(({ document }) => {
      const view = document.defaultView;
      view?.addEventListener('contextmenu', onMenu, { capture: true });
      return () => view?.removeEventListener('contextmenu', onMenu, { capture: true });
    }),
  );
};

function isOnPicture(event: MouseEvent): boolean {
  return event.composedPath().some((node) => {
    const { localName, type } = node as Partial<HTMLInputElement>; // created in the view's realm; other targets have neither
    return PICTURES.includes(localName) || (localName === 'input' && type === 'image');
  });
}
