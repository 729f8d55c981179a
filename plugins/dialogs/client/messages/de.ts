/** Texts of the dialogs. */
export const texts = {
  'dialogs.this-page': 'Diese Seite',
  'dialogs.says': '{site} meldet',
  'dialogs.asks': '{site} fragt',
  'dialogs.ok': 'OK',
  'dialogs.cancel': 'Abbrechen',
  'dialogs.leave-title': 'Diese Seite verlassen?',
  'dialogs.leave-text': 'Ihre Änderungen werden möglicherweise nicht gespeichert.',
  'dialogs.leave': 'Verlassen',
  'dialogs.stay': 'Bleiben',
  'dialogs.hangs-title': '{site} reagiert nicht',
  'dialogs.hangs-text': 'Ein Skript blockiert die Seite. Sie können warten oder es anhalten.',
  'dialogs.stop': 'Anhalten',
  'dialogs.wait': 'Warten',
};
