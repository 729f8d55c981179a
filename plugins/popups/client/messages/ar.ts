/** Texts of the question. */
export const texts = {
  'popups.this-page': 'هذه الصفحة',
  'popups.title': 'يريد {site} فتح نافذة',
  'popups.text': 'تؤدي إلى {target}.',
  'popups.text-blank': 'تكون فارغة في البداية.',
  'popups.allow': 'سماح',
  'popups.block': 'حظر',
};
