import { menu, slot } from '../../../core/index.ts';
import type { AskMenuProps } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import { menuItems } from '../client/menu-items.ts';
import { itemsOf } from '../items.ts';
import type { Found } from '../protocol.ts';

const CATALOGUES = {
  en: () => import('../client/messages/en.ts'),
  de: () => import('../client/messages/de.ts'),
  ar: () => import('../client/messages/ar.ts'),
};
const ALL = { copy: true, paste: true, open: true, save: true };
const NOTHING: Found = { editable: false, selection: false, edits: ['select-all'] };

function surfaceOf(name: string, found: Partial<Found>): Surface {
  return {
    name: `context-menu.${name}`,
    part: '.vitrine-menu',
    show: async ({ slots, texts, load }) => {
      await load(CATALOGUES);
      const items = menuItems(itemsOf({ ...NOTHING, ...found }, ALL), texts, { back: true, forward: false });
      const props = { label: texts.text('context-menu.label'), items, at: { x: 180, y: 40 } };
      void slots.ask(slot<AskMenuProps>('context-menu.menu', 'dialog'), menu, props);
    },
  };
}

export const surfaces: readonly Surface[] = [
  surfaceOf('default', {}),
  surfaceOf('field', { editable: true, selection: true, edits: ['undo', 'cut', 'copy', 'paste', 'select-all'] }),
  surfaceOf('selection', { selection: true, edits: ['copy'] }),
  surfaceOf('link', { link: 'https://site.example/' }),
  surfaceOf('picture', { picture: 'https://site.example/picture.png' }),
  surfaceOf('linked-picture', { picture: '', link: 'https://site.example/' }),
];
