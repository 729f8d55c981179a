/** Texts of the clipboard. */
export const texts = {
  'clipboard.copy-restricted': 'Your organisation does not let you copy from this page.',
  'clipboard.paste-restricted': 'Your organisation does not let you paste this here.',
  'clipboard.paste-limit': 'Your organisation lets you paste plain text of up to {limit} characters here.',
  'clipboard.copy-restricted-by': 'Your organisation does not let you copy from {site}.',
  'clipboard.paste-restricted-by': 'Your organisation does not let you paste this into {site}.',
  'clipboard.paste-limit-by': 'Your organisation lets you paste plain text of up to {limit} characters into {site}.',
  'clipboard.no-policy': 'Copying and pasting are off: what your organisation allows could not be read.',
  'clipboard.copy-failed': 'This could not be copied.',
  'clipboard.paste-failed': 'This could not be pasted.',
  'clipboard.keys-title': 'Copy and paste with the keyboard',
  'clipboard.keys-text': 'There is nothing to paste yet. The keys always work, also where a menu of the page does not.',
  'clipboard.copy': 'Copy',
  'clipboard.cut': 'Cut',
  'clipboard.paste': 'Paste',
  'clipboard.ctrl': 'Ctrl',
  'clipboard.ok': 'OK',
};
