/** Texte des Tab-Menüs. */
export const texts = {
  'tab-menu.label': 'Tab-Menü',
  'tab-menu.bypass': 'Ohne Isolierung öffnen',
  'tab-menu.not-bypassed': 'Diese Website konnte nicht ohne Isolierung geöffnet werden.',
  'tab-menu.protection': 'Was diesen Tab schützt',
};
