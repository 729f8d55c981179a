import { inputToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { buttonShown, bypassOffered } from '../protocol.ts';
import type { TabMenu } from './tab-menu.ts';

const HEARD = ['keydown', 'keyup', 'touchstart', 'touchmove', 'touchend', 'touchcancel'];

/**
 * Hears the key and the fingers that open the menu, in the shell and in every document of the view. All else is loaded when it is first
 * needed. The page does not get the key: one that hangs, or takes all keys, cannot keep the person from the menu.
 */
export const activate: ActivateClient = (scope) => {
  let loaded: Promise<TabMenu> | undefined;
  /** Whether the button is to be there, once the host has said so. */
  let hasButton: boolean | undefined;
  let mayBypass = false;
  const use = (act: (menu: TabMenu) => void): void => {
    loaded ??= import('./tab-menu.ts').then(({ makeTabMenu }) => {
      const menu = makeTabMenu(scope, () => mayBypass);
      if (hasButton !== undefined) menu.showButton(hasButton); // also where the code was not loaded at first
      return menu;
    });
    loaded.then(act).catch((thrown: unknown) => {
      loaded = undefined; // the next press retries
      scope.log.warn('the code of the tab menu was not loaded', { reason: String(thrown) });
    });
  };
  const hear = (event: Event): void => {
    const { key, ctrlKey, shiftKey, altKey, metaKey, repeat, touches } = event as Partial<KeyboardEvent & TouchEvent>; // each has some of them
    if (!event.isTrusted) return;
    if (touches) {
      if (loaded || touches.length === 2) use((menu) => menu.touch(event as TouchEvent)); // as it has touches
    } else if (key === 'F10' && ctrlKey && shiftKey && !altKey && !metaKey) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type === 'keydown' && !repeat) use((menu) => menu.open());
    }
  };
  /** On the window, which comes before the document, where input forwarding listens. Through prototypes: names in a page hide members of its window. */
  const listen = (target: EventTarget, signal: AbortSignal): void => {
    for (const type of HEARD)
      EventTarget.prototype.addEventListener.call(target, type, hear, { capture: true, signal });
  };
  scope.commands.handle(buttonShown, ({ shown }) => {
    hasButton = shown;
    use((menu) => menu.showButton(shown));
  });
  scope.commands.handle(bypassOffered, ({ offered }) => {
    mayBypass = offered;
  });
  listen(window, scope.signal);
  scope.onDispose(
    scope.services.get(inputToken).add(({ document, signal }) => {
      const view = Reflect.get(Document.prototype, 'defaultView', document); // the interface's own getter
      if (view) listen(view, signal);
    }),
  );
};
