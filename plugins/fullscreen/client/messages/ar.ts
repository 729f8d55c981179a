/** Texts of the question. */
export const texts = {
  'fullscreen.this-page': 'هذه الصفحة',
  'fullscreen.title': 'يريد {site} ملء الشاشة',
  'fullscreen.text': 'لن ترى عنوان الصفحة حينها. اضغط على مفتاح Escape للخروج.',
  'fullscreen.allow': 'سماح',
  'fullscreen.block': 'حظر',
};
