/** Texts of the question. */
export const texts = {
  'fullscreen.this-page': 'This page',
  'fullscreen.title': '{site} wants to fill the screen',
  'fullscreen.text': 'You will not see the address of the page then. Press Escape to leave.',
  'fullscreen.allow': 'Allow',
  'fullscreen.block': 'Block',
};
