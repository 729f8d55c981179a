import { menu, rendererToken, slot, SLOTS, textsToken } from '../../../core/index.ts';
import type { AskMenuProps, ClientScope, SlotContribution, TabAction, Texts } from '../../../core/index.ts';
import styles from './button.css';
import type { ButtonProps } from './button.tsx';
import { entriesOf, sorted } from './entries.ts';
import { gather } from './gather.ts';
import { twoFingers } from './touch.ts';

const menuSlot = slot<AskMenuProps>('tab-menu.menu', 'dialog');
const button: SlotContribution<ButtonProps> = { load: () => import('./button.tsx'), styles: [styles], order: 100 };

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

/** Makes the menu. */
export function makeTabMenu(scope: ClientScope): TabMenu {
  const { services, slots, log } = scope;
  const texts = services.get(textsToken);
  const loaded = texts.load(CATALOGUES);
  let isOpen = false;
  const show = async (): Promise<void> => {
    await loaded;
    const actions = sorted([...(await gather(scope)), protection(scope, texts)]);
    const props = { label: texts.text('tab-menu.label'), items: entriesOf(actions), at: placeOf(texts) };
    const id = await slots.ask(menuSlot, menu, props);
    await actions.find((action) => action.id === id)?.act();
  };
  const open = (): void => {
    // A dialog covers the view: the menu would wait for it.
    if (isOpen || services.find(rendererToken)?.view.closest('[inert]')) return;
    isOpen = true;
    show()
      .catch((thrown: unknown) => log.error('an action of the tab menu failed', { reason: String(thrown) }))
      .finally(() => {
        isOpen = false;
      });
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

/** Opens the page of the host that says what protects this tab. */
function protection({ session }: Pick<ClientScope, 'session'>, texts: Texts): TabAction {
  return {
    id: 'tab-menu.protection',
    label: texts.text('tab-menu.protection'),
    icon: 'shield',
    group: 'about',
    act: () => {
      session.openTab(`/protection?${new URLSearchParams({ page: session.pageUrl() })}`);
    },
  };
}

/** The button where there is one, or else the upper corner at the end of the line. The page has no say in it. */
function placeOf({ direction }: Texts): AskMenuProps['at'] {
  const box = document.querySelector('.vitrine-tab-menu')?.getBoundingClientRect();
  return box ?? { x: direction === 'rtl' ? 0 : window.innerWidth, y: 0 };
}
