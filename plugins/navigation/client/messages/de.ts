/** Texte zu dem, was man mit der Adresse eines Tabs tut. */
export const texts = {
  'navigation.reload': 'Neu laden',
  'navigation.copy-link': 'Link kopieren',
  'navigation.copied': 'Der Link wurde kopiert.',
  'navigation.not-copied': 'Der Browser hat das Kopieren des Links nicht zugelassen.',
};
