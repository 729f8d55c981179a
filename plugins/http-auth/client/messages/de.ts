/** Texts of the question for a password by HTTP. */
export const texts = {
  'http-auth.title': 'Anmelden',
  'http-auth.asks': '{origin} verlangt Name und Passwort.',
  'http-auth.show': 'Passwort anzeigen',
  'http-auth.other': 'Das ist nicht die Website, deren Seite Sie sehen.',
  'http-auth.again': 'Die Website hat Name und Passwort nicht angenommen.',
  'http-auth.insecure':
    'Die Verbindung zu dieser Website ist nicht verschlüsselt: Andere auf dem Weg können lesen, was Sie eingeben.',
  'http-auth.username': 'Name',
  'http-auth.password': 'Passwort',
  'http-auth.cancel': 'Abbrechen',
  'http-auth.sign-in': 'Anmelden',
};
