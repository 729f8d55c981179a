/** Texts of signing in. */
export const texts = {
  'login.failed': 'Your sign-in could not be confirmed. Uploads and inspection may fail.',
  'login.again': 'Try again',
  'login.reauth': 'You have to sign in again.',
  'login.sign-in': 'Sign in',
};
