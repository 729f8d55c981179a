/** Texts of the question and the notice. */
export const texts = {
  'popups.this-page': 'Diese Seite',
  'popups.title': '{site} möchte ein Fenster öffnen',
  'popups.text': 'Es führt zu {target}.',
  'popups.text-blank': 'Es ist zunächst leer.',
  'popups.allow': 'Zulassen',
  'popups.block': 'Blockieren',
  'popups.refused': 'Ihre Organisation erlaubt dieser Website keine neuen Tabs und Fenster.',
};
