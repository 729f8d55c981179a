/** Texts of what people do with the address of a tab. */
export const texts = {
  'navigation.reload': 'Reload',
  'navigation.copy-link': 'Copy link',
  'navigation.copied': 'The link was copied.',
  'navigation.not-copied': 'The browser did not let the link be copied.',
};
