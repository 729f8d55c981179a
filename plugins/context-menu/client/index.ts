import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient, ViewDocument } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';
import { askMenu, menuOffered, notSaved } from '../protocol.ts';
import type { Menus } from './menus.ts';
import type { Notices } from './notice.ts';

type Asking = MouseEvent | KeyboardEvent;

/** Elements that show a picture: their menu can save or copy it. */
const PICTURES: readonly (string | undefined)[] = ['img', 'image', 'picture', 'canvas', 'svg', 'video'];
/** Inputs into which nobody types text. */
const UNTYPED = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

/**
 * Shows a menu of ours in place of the browser's, once the page has shown none of its own, or none at all where the policy requires it: on
 * pictures, or everywhere (R-065, S-102).
 */
export const activate: ActivateClient<typeof manifest> = (scope) => {
  const { commands, services, session } = scope;
  const renderer = services.get(rendererToken);
  let notices: Promise<Notices> | undefined;
  const notice = (which: keyof Notices): void => {
    notices ??= import('./notice.ts').then(({ makeNotices }) => makeNotices(scope));
    void notices.then((each) => each[which]());
  };
  let menus: Promise<Menus> | undefined;
  const withMenus = (use: (loaded: Menus) => void): void => {
    menus ??= import('./menus.ts').then(({ makeMenus }) => makeMenus(scope));
    void menus.then(use);
  };
  /** The host has been asked for the menu that is about to be opened. */
  let isAsked = false;

  const verdict = (event: Asking): 'ours' | 'native' | 'none' | 'blocked' => {
    const { copy_paste_policy: copy, session_settings: settings } = session.siteCapabilities();
    if (copy?.disable_all_ctx_menu_for_copy || (copy?.disable_img_ctx_menu_for_copy && isOn(event, isPicture)))
      return 'blocked';
    if (settings?.disable_all_context_menus) return 'none';
    const isNative =
      (event.shiftKey && 'button' in event && event.button === 2) ||
      // A finger selects text by resting on it.
      ((event as Partial<PointerEvent>).pointerType === 'touch' && !isOn(event, isPicture) && !isOn(event, isLink)) ||
      (settings?.input_context_menu !== 'backend' && isOn(event, isField));
    return isNative ? 'native' : 'ours';
  };
  const ask = (event: Asking, { frame }: ViewDocument, press: boolean): void => {
    const isByMouse = 'button' in event;
    const target = isByMouse ? renderer.hitTest(event) : renderer.focused();
    commands.send(askMenu, { frame: target?.frame ?? frame, ...(press && target && { press: target }) });
    withMenus((loaded) => loaded.pressed());
  };
  commands.handle(menuOffered, (offer) => withMenus((loaded) => loaded.offered(offer)));
  commands.handle(notSaved, () => notice('notSaved'));
  scope.onDispose(
    renderer.documents((shown) => {
      const view = shown.document.defaultView;
      const life = new AbortController();
      // Before the core's listeners, which are the document's: the host knows of the menu before the page does.
      const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void =>
        view?.addEventListener(type, listener, { capture: true, signal: life.signal });
      on('mousedown', (event) => {
        isAsked = event.button === 2 && verdict(event) === 'ours';
        if (isAsked) ask(event, shown, false);
      });
      on('keydown', (event) => {
        const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
        if (!isMenuKey || event.repeat || verdict(event) !== 'ours') return;
        isAsked = true;
        ask(event, shown, false);
        withMenus((loaded) => loaded.wantedByKey(shown.document));
      });
      on('contextmenu', (event) => {
        const is = verdict(event);
        if (is === 'native') return;
        event.preventDefault();
        if (is === 'blocked') notice('blocked');
        if (is !== 'ours') return;
        if (!isAsked) ask(event, shown, true);
        isAsked = false;
        withMenus((loaded) => loaded.wanted(shown.document, event));
      });
      return () => life.abort();
    }),
  );
};

/** An element of the view's realm, where instanceof is false; other targets have none of it. */
type Seen = Partial<HTMLInputElement>;

const isPicture = ({ localName, type }: Seen): boolean =>
  PICTURES.includes(localName) || (localName === 'input' && type === 'image');
const isLink = ({ localName }: Seen): boolean => localName === 'a' || localName === 'area';
const isField = ({ localName, type, isContentEditable }: Seen): boolean =>
  isContentEditable === true || localName === 'textarea' || (localName === 'input' && !UNTYPED.test(type ?? ''));

const isOn = (event: Event, is: (element: Seen) => boolean): boolean =>
  event.composedPath().some((node) => is(node as Seen));
