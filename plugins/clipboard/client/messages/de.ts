/** Texte der Zwischenablage. */
export const texts = {
  'clipboard.copy-restricted': 'Ihre Organisation lässt nicht zu, dass Sie von dieser Seite kopieren.',
  'clipboard.paste-restricted': 'Ihre Organisation lässt nicht zu, dass Sie das hier einfügen.',
  'clipboard.paste-limit': 'Ihre Organisation lässt hier nur reinen Text mit höchstens {limit} Zeichen einfügen.',
  'clipboard.copy-restricted-by': 'Ihre Organisation lässt nicht zu, dass Sie aus {site} kopieren.',
  'clipboard.paste-restricted-by': 'Ihre Organisation lässt nicht zu, dass Sie das in {site} einfügen.',
  'clipboard.paste-limit-by':
    'Ihre Organisation lässt in {site} nur reinen Text mit höchstens {limit} Zeichen einfügen.',
  'clipboard.no-policy': 'Kopieren und Einfügen sind aus: Was Ihre Organisation erlaubt, konnte nicht gelesen werden.',
  'clipboard.copy-failed': 'Das konnte nicht kopiert werden.',
  'clipboard.paste-failed': 'Das konnte nicht eingefügt werden.',
  'clipboard.keys-title': 'Mit der Tastatur kopieren und einfügen',
  'clipboard.keys-text':
    'Es gibt noch nichts einzufügen. Die Tasten gehen immer, auch wo ein Menü der Seite es nicht tut.',
  'clipboard.copy': 'Kopieren',
  'clipboard.cut': 'Ausschneiden',
  'clipboard.paste': 'Einfügen',
  'clipboard.ctrl': 'Strg',
  'clipboard.ok': 'OK',
};
