/** Texts of the question. */
export const texts = {
  'fullscreen.this-page': 'This page',
  'fullscreen.title': '{site} wants to use full screen',
  'fullscreen.text': 'The address of the page will be hidden. Press Escape to leave.',
  'fullscreen.allow': 'Allow',
  'fullscreen.block': 'Block',
};
