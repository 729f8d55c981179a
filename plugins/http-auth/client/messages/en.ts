/** Texts of the question for a password by HTTP. */
export const texts = {
  'http-auth.title': 'Sign in',
  'http-auth.asks': '{origin} asks for a name and a password.',
  'http-auth.show': 'Show the password',
  'http-auth.other': 'This is not the site whose page you see.',
  'http-auth.again': 'The site did not accept this name and password.',
  'http-auth.insecure': 'The connection to this site is not encrypted: others on the way can read what you enter.',
  'http-auth.username': 'Name',
  'http-auth.password': 'Password',
  'http-auth.cancel': 'Cancel',
  'http-auth.sign-in': 'Sign in',
};
