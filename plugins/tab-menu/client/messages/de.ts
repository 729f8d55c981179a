/** Texte des Tab-Menüs. */
export const texts = {
  'tab-menu.label': 'Tab-Menü',
  'tab-menu.protection': 'Was diesen Tab schützt',
};
