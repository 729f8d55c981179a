/** Texts of the notice that passkeys cannot be used. */
export const texts = {
  'webauthn.title': 'Your passkey for {site} cannot be used here',
  'webauthn.text':
    'The page is shown by an isolation service, and your browser does not let it use passkeys for other sites. Sign in another way, or ask your administrator.',
  'webauthn.ok': 'OK',
};
