/** نصوص ما يُفعل بعنوان التبويب. */
export const texts = {
  'navigation.reload': 'إعادة التحميل',
  'navigation.copy-link': 'نسخ الرابط',
  'navigation.copied': 'تم نسخ الرابط.',
  'navigation.not-copied': 'لم يسمح المتصفح بنسخ الرابط.',
};
