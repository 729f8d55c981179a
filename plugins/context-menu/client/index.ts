import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';
import { menuOffered, notSaved } from '../protocol.ts';
import type { Menus } from './menus.ts';

/** An element of the view's realm, where instanceof is false; other targets have none of it. */
type Seen = Partial<HTMLInputElement>;

/**
 * Whose menu is to come: ours, the browser's, or none, of which the person is notified where it is `blocked`. `alone`: ours, with what the
 * client can do without the host.
 */
export type Verdict = 'ours' | 'alone' | 'native' | 'none' | 'blocked';

/**
 * Shows a menu of ours in place of the browser's, once the page has shown none of its own, or none at all where the policy requires it: on
 * pictures, or everywhere (R-065, S-102). All but the decision is loaded with the first press.
 */
export const activate: ActivateClient<typeof manifest> = (scope) => {
  let menus: Promise<Menus> | undefined;
  let isLoaded = false;
  const load = (): Promise<Menus> =>
    (menus ??= import('./menus.ts').then(
      ({ makeMenus }) => {
        isLoaded = true;
        return makeMenus(scope);
      },
      (thrown: unknown) => {
        menus = undefined; // the next press retries
        scope.log.warn('the code of the context menu was not loaded', { reason: String(thrown) });
        throw thrown;
      },
    ));
  scope.commands.handle(menuOffered, async (offer) => (await load()).offered(offer));
  scope.commands.handle(notSaved, async () => (await load()).notSaved());
  const verdict = (event: Event): Verdict => {
    const { copy_paste_policy: copy, session_settings: settings } = scope.session.siteCapabilities();
    const { shiftKey, button, pointerType } = event as PointerEvent; // keys have neither of the latter
    const isOn = (is: (element: Seen) => unknown): boolean => event.composedPath().some((node) => is(node));
    const isOnPicture = isOn(isPicture);
    if (copy?.disable_all_ctx_menu_for_copy || (copy?.disable_img_ctx_menu_for_copy && isOnPicture)) return 'blocked';
    if (settings?.disable_all_context_menus) return 'none';
    const isNative =
      (shiftKey && button === 2) ||
      // A finger selects text by resting on it.
      (pointerType === 'touch' && !isOnPicture && !isOn(({ localName }) => localName === 'a')) ||
      (settings?.input_context_menu !== 'backend' && isOn(isField));
    if (isNative) return 'native';
    if (scope.session.isConnected()) return 'ours';
    return mayCopy(copy) ? 'native' : 'alone';
  };
  scope.onDispose(
    scope.services.get(rendererToken).documents((shown) => {
      const life = new AbortController();
      for (const type of ['mousedown', 'keydown', 'contextmenu'] as const)
        // Before the core's listeners, which are the document's: the host knows of the menu before the page does.
        shown.document.defaultView?.addEventListener(
          type,
          (event: Event) => {
            const { button, key, shiftKey, ctrlKey } = event as MouseEvent & KeyboardEvent; // each has some of them
            const isMenu = type === 'contextmenu';
            if (!isMenu && button !== 2 && key !== 'ContextMenu' && !(key === 'F10' && shiftKey && !ctrlKey)) return;
            const is = verdict(event);
            const isLate = !isLoaded;
            if (isMenu && is !== 'native') event.preventDefault();
            // Once it is loaded, this runs before the next listener.
            load().then(
              (loaded) => loaded[type](event as never, shown, is, isLate), // the event of this type
              () => undefined,
            );
          },
          { capture: true, signal: life.signal },
        );
      return () => life.abort();
    }),
  );
};

/** Whether the policy of `plugins/clipboard` lets the person copy: the browser's own menu offers it. Without a policy there is none who knows. */
const mayCopy = (policy: unknown): boolean =>
  (Object(policy) as { readonly disable_copy?: unknown }).disable_copy === false; // looked at here

const isPicture = ({ localName, type }: Seen): boolean =>
  /^(img|image|picture|canvas|svg|video|area|object|v-embed)$/.test(localName ?? '') ||
  (localName === 'input' && type === 'image');

/** Whether text is typed into an element: those without a selection of their own say so by their type. */
const isField = ({ isContentEditable, selectionStart, type }: Seen): boolean =>
  isContentEditable || typeof selectionStart === 'number' || /^(email|number)$/.test(type ?? '');
