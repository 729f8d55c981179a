/** Texts of signing in. */
export const texts = {
  'login.failed': 'تعذّر تأكيد تسجيل دخولك. قد يفشل الرفع والفحص.',
  'login.again': 'إعادة المحاولة',
  'login.reauth': 'عليك تسجيل الدخول مرة أخرى.',
  'login.sign-in': 'تسجيل الدخول',
};
