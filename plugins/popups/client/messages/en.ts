/** Texts of the question. */
export const texts = {
  'popups.this-page': 'This page',
  'popups.title': '{site} wants to open a window',
  'popups.text': 'It leads to {target}.',
  'popups.text-blank': 'It is empty at first.',
  'popups.allow': 'Allow',
  'popups.block': 'Block',
};
