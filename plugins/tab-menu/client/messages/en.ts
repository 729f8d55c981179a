/** Texts of the tab menu. */
export const texts = {
  'tab-menu.label': 'Tab menu',
  'tab-menu.bypass': 'Open without isolation',
  'tab-menu.not-bypassed': 'This site could not be opened without isolation.',
  'tab-menu.protection': 'What protects this tab',
};
