/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'Diese Seite',
  'permissions.location-title': '{site} möchte Ihren Standort wissen',
  'permissions.location-text': 'Wenn Sie es zulassen, erhält die Seite Ihren Standort von Ihrem Browser.',
  'permissions.allow': 'Zulassen',
  'permissions.block': 'Blockieren',
  'permissions.refused-media': '{site} wollte Kamera oder Mikrofon: Seiten bekommen sie hier nicht.',
  'permissions.refused-notifications': '{site} wollte Benachrichtigungen senden: Das können Seiten hier nicht.',
};
