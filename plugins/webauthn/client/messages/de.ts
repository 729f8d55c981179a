/** Texts of the notice that passkeys cannot be used. */
export const texts = {
  'webauthn.title': 'Ihr Passkey für {site} lässt sich hier nicht verwenden',
  'webauthn.text':
    'Die Seite wird isoliert angezeigt, und Ihr Browser lässt den Dienst keine Passkeys für andere Websites verwenden. Melden Sie sich auf andere Weise an oder fragen Sie Ihre Administration.',
  'webauthn.ok': 'OK',
};
