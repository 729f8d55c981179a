/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'This page',
  'permissions.location-title': '{site} wants to know your location',
  'permissions.location-text': 'If you allow it, your browser is asked where you are, and the page is told.',
  'permissions.allow': 'Allow',
  'permissions.block': 'Block',
};
