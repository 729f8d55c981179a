/** Texts of the tab menu. */
export const texts = {
  'tab-menu.label': 'Tab menu',
  'tab-menu.protection': 'What protects this tab',
};
