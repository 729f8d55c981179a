/** Texts of the notice that passkeys cannot be used. */
export const texts = {
  'webauthn.title': 'لا يمكن استخدام مفتاح المرور الخاص بك لموقع {site} هنا',
  'webauthn.text':
    'تُعرض الصفحة من خلال خدمة عزل، ولا يسمح متصفحك لها باستخدام مفاتيح المرور لمواقع أخرى. سجّل الدخول بطريقة أخرى أو اسأل المسؤول.',
  'webauthn.ok': 'موافق',
};
