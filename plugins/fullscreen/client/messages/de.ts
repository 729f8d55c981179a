/** Texts of the question. */
export const texts = {
  'fullscreen.this-page': 'Diese Seite',
  'fullscreen.title': '{site} möchte den Vollbildmodus verwenden',
  'fullscreen.text':
    'Die Adresse der Seite ist dann nicht zu sehen. Mit der Escape-Taste beenden Sie den Vollbildmodus.',
  'fullscreen.allow': 'Zulassen',
  'fullscreen.block': 'Blockieren',
};
