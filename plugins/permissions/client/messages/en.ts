/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'This page',
  'permissions.location-title': '{site} wants to know your location',
  'permissions.location-text': 'If you allow it, the page gets your location from your browser.',
  'permissions.allow': 'Allow',
  'permissions.block': 'Block',
  'permissions.refused-media': '{site} asked for the camera or microphone: pages do not get them here.',
  'permissions.refused-notifications': '{site} asked to send notifications: pages cannot do that here.',
};
