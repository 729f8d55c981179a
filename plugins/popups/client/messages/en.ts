/** Texts of the question and the notice. */
export const texts = {
  'popups.this-page': 'This page',
  'popups.title': '{site} wants to open a window',
  'popups.text': 'It leads to {target}.',
  'popups.text-blank': 'It is empty at first.',
  'popups.allow': 'Allow',
  'popups.block': 'Block',
  'popups.refused': 'Your organisation does not let this site open new tabs and windows.',
};
