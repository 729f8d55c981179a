/** Texts of the dialogs. */
export const texts = {
  'dialogs.this-page': 'This page',
  'dialogs.says': '{site} says',
  'dialogs.asks': '{site} asks',
  'dialogs.ok': 'OK',
  'dialogs.cancel': 'Cancel',
  'dialogs.leave-title': 'Leave this page?',
  'dialogs.leave-text': 'Changes that you have made may not be saved.',
  'dialogs.leave': 'Leave',
  'dialogs.stay': 'Stay',
  'dialogs.hangs-title': '{site} does not respond',
  'dialogs.hangs-text': 'A script is blocking the page. You can wait, or stop the script.',
  'dialogs.stop': 'Stop it',
  'dialogs.wait': 'Wait',
};
