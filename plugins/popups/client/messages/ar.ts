/** Texts of the question and the notice. */
export const texts = {
  'popups.this-page': 'هذه الصفحة',
  'popups.title': 'يريد {site} فتح نافذة',
  'popups.text': 'تؤدي إلى {target}.',
  'popups.text-blank': 'تكون فارغة في البداية.',
  'popups.allow': 'سماح',
  'popups.block': 'حظر',
  'popups.refused': 'لا تسمح مؤسستك لهذا الموقع بفتح علامات تبويب ونوافذ جديدة.',
};
