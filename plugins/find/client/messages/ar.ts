/** Texts of the bar. */
export const texts = {
  'find.title': 'البحث في الصفحة',
  'find.next': 'النتيجة التالية',
  'find.previous': 'النتيجة السابقة',
  'find.close': 'إغلاق شريط البحث',
  'find.options': 'خيارات',
  'find.match-case': 'مطابقة حالة الأحرف',
  'find.whole-words': 'كلمات كاملة',
  'find.match-diacritics': 'مطابقة علامات التشكيل',
  'find.none': 'لا توجد نتائج',
  'find.some': 'عدد النتائج: {total}',
  'find.at': 'النتيجة {count} من {total}',
};
