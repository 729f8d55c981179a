/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'Diese Seite',
  'permissions.location-title': '{site} möchte Ihren Standort wissen',
  'permissions.location-text': 'Wenn Sie es zulassen, wird Ihr Browser gefragt, wo Sie sind, und die Seite erfährt es.',
  'permissions.allow': 'Zulassen',
  'permissions.block': 'Blockieren',
};
