/** Texts of the question for a password by HTTP. */
export const texts = {
  'http-auth.title': 'تسجيل الدخول',
  'http-auth.asks': 'يطلب {origin} اسمًا وكلمة مرور.',
  'http-auth.show': 'إظهار كلمة المرور',
  'http-auth.other': 'ليس هذا هو الموقع الذي ترى صفحته.',
  'http-auth.again': 'لم يقبل الموقع هذا الاسم وكلمة المرور.',
  'http-auth.insecure': 'الاتصال بهذا الموقع غير مشفّر: يمكن لآخرين في الطريق قراءة ما تُدخله.',
  'http-auth.username': 'الاسم',
  'http-auth.password': 'كلمة المرور',
  'http-auth.cancel': 'إلغاء',
  'http-auth.sign-in': 'تسجيل الدخول',
};
