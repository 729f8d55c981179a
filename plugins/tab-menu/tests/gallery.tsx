import { menu, slot, SLOTS } from '../../../core/index.ts';
import type { AskMenuProps, TabAction, Texts } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import styles from '../client/button.css';
import { entriesOf, sorted } from '../client/entries.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};
/** The entries of other plugins, whose texts are their own. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  en: ['Find in page', 'Print', 'Reload', 'Copy link'],
  de: ['In der Seite suchen', 'Drucken', 'Neu laden', 'Link kopieren'],
  ar: ['البحث في الصفحة', 'طباعة', 'إعادة التحميل', 'نسخ الرابط'],
};

function actionsOf(texts: Texts, isForbidden: boolean): readonly TabAction[] {
  const [find = '', print = '', reload = '', copy = ''] = OTHERS[texts.language] ?? [];
  const act = (): void => undefined;
  return [
    { id: 'find', label: find, icon: 'search', group: 'page', order: 10, keys: 'Mod+F', act },
    { id: 'print', label: print, icon: 'printer', group: 'page', order: 20, keys: 'Mod+P', disabled: isForbidden, act },
    { id: 'reload', label: reload, icon: 'reload', group: 'tab', order: 10, keys: 'Mod+R', act },
    { id: 'copy', label: copy, icon: 'link', group: 'tab', order: 20, disabled: isForbidden, act },
    { id: 'protection', label: texts.text('tab-menu.protection'), icon: 'shield', group: 'about', act },
  ];
}

function menuSurface(name: string, choose: (actions: readonly TabAction[]) => readonly TabAction[]): Surface {
  return {
    name: `tab-menu.${name}`,
    part: '.vitrine-menu',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const items = entriesOf(sorted(choose(actionsOf(texts, name === 'forbidden'))));
      const at = { x: texts.direction === 'rtl' ? 0 : window.innerWidth, y: 0 };
      const props = { label: texts.text('tab-menu.label'), items, at };
      void slots.ask(slot<AskMenuProps>('tab-menu.menu', 'dialog'), menu, props);
    },
  };
}

export const surfaces: readonly Surface[] = [
  menuSurface('menu', (actions) => actions),
  menuSurface('forbidden', (actions) => actions),
  menuSurface('alone', (actions) => actions.slice(-1)),
  {
    name: 'tab-menu.button',
    part: '.vitrine-tab-menu',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const props = { label: texts.text('tab-menu.label'), onPress: () => undefined };
      slots.fill(SLOTS.panel, { load: () => import('../client/button.tsx'), styles: [styles] }, props);
    },
  },
];
