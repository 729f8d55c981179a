import { hooksToken, menu, rendererToken, slot, SLOTS, textsToken } from '../../../core/index.ts';
import type { AskMenuProps, ClientScope, SlotContribution, TabAction, Texts } from '../../../core/index.ts';
import styles from './button.css';
import type { ButtonProps } from './button.tsx';
import { bypass } from './bypass.ts';
import { entriesOf, sorted } from './entries.ts';
import { gather } from './gather.ts';
import { twoFingers } from './touch.ts';

const menuSlot = slot<AskMenuProps>('tab-menu.menu', 'dialog');
const button: SlotContribution<ButtonProps> = { load: () => import('./button.tsx'), styles: [styles], order: 100 };

/** Longest address that the page of the protection takes, in UTF-16 units. */
const MAX_ADDRESS = 2000;

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** The menu of a tab, and the means by which people open it. */
export interface TabMenu {
  readonly open: () => void;
  /** Hears an event of touches. */
  readonly touch: (event: TouchEvent) => void;
  readonly showButton: (isShown: boolean) => void;
}

/** Makes the menu. `mayBypass`: whether the policy offers to leave isolation on the page. */
export function makeTabMenu(scope: ClientScope, mayBypass: () => boolean): TabMenu {
  const { services, slots, log } = scope;
  const texts = services.get(textsToken);
  const loaded = texts.load(CATALOGUES);
  let isOpen = false;
  /** A dialog covers the view: the menu would wait for it, and come when nobody expects it. */
  const isCovered = (): boolean => services.find(rendererToken)?.view.closest('[inert]') != null;
  const choose = async (): Promise<TabAction | undefined> => {
    const { signal, end } = onePage(scope);
    try {
      await loaded;
      const own = [...(mayBypass() ? [bypass(scope, texts)] : []), protection(scope, texts)];
      const actions = sorted([...(await gather(scope)), ...own]);
      if (signal.aborted || isCovered()) return undefined;
      const props = { label: texts.text('tab-menu.label'), items: entriesOf(actions), at: placeOf(texts) };
      const id = await slots.ask(menuSlot, menu, props, signal);
      return actions.find((action) => action.id === id);
    } finally {
      end();
    }
  };
  const run = async (chosen: Promise<TabAction | undefined>): Promise<void> => {
    let action: TabAction | undefined;
    try {
      action = await chosen;
      await action?.act(); // still within the gesture
    } catch (thrown) {
      log.error(`${action?.id ?? 'the menu'} failed`, { reason: String(thrown) });
    }
  };
  const open = (): void => {
    if (isOpen || isCovered()) return;
    isOpen = true;
    // An action may take longer than the menu is shown.
    const chosen = choose().finally(() => {
      isOpen = false;
    });
    void run(chosen);
  };
  const fingers = twoFingers(open);
  scope.onDispose(fingers.end);

  let isButtonWanted = false;
  let hideButton: (() => void) | undefined;
  const showButton = async (isShown: boolean): Promise<void> => {
    isButtonWanted = isShown;
    await loaded;
    if (!isButtonWanted) hideButton?.();
    else hideButton ??= slots.fill(SLOTS.panel, button, { label: texts.text('tab-menu.label'), onPress: open });
    if (!isButtonWanted) hideButton = undefined;
  };
  return { open, touch: fingers.touch, showButton: (isShown) => void showButton(isShown) };
}

/** A signal that is aborted once the tab has another page: what the menu offers is for the one before. */
function onePage({ hooks, services }: ClientScope): { readonly signal: AbortSignal; end(): void } {
  const shown = new AbortController();
  const end = hooks.tap(services.get(hooksToken).pageChanged, () => shown.abort());
  return { signal: shown.signal, end };
}

/** Opens the page of the host that says what protects this tab. */
function protection({ session }: Pick<ClientScope, 'session'>, texts: Texts): TabAction {
  return {
    id: 'tab-menu.protection',
    label: texts.text('tab-menu.protection'),
    icon: 'shield',
    group: 'about',
    act: () => {
      const [page = ''] = session.pageUrl().split(/[?#]/);
      session.openTab(`/protection?${new URLSearchParams({ page: page.slice(0, MAX_ADDRESS) })}`);
    },
  };
}

/** The button where there is one, or else the upper corner at the end of the line. The page has no say in it. */
function placeOf({ direction }: Texts): AskMenuProps['at'] {
  const box = document.querySelector('.vitrine-tab-menu')?.getBoundingClientRect();
  return box ?? { x: direction === 'rtl' ? 0 : window.innerWidth, y: 0 };
}
