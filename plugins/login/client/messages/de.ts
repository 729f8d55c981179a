/** Texts of signing in. */
export const texts = {
  'login.failed': 'Ihre Anmeldung konnte nicht bestätigt werden. Uploads und Prüfungen können fehlschlagen.',
  'login.again': 'Erneut versuchen',
  'login.reauth': 'Sie müssen sich erneut anmelden.',
  'login.sign-in': 'Anmelden',
};
