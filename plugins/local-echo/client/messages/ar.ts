export const texts = {
  ID_MODAL_LECHO_ALERT_TITLE: 'تحقق مما كتبته',
  ID_MODAL_LECHO_ALERT_TEXT:
    'النص الموجود في هذا الحقل لدى الصفحة يختلف عما رأيته أثناء الكتابة. أنت ترى الآن نص الصفحة. هل تريد عرض ما تكتبه في هذا الحقل فورًا قبل أن تجيب الصفحة؟',
  'local-echo.go-on': 'العرض فورًا',
  'local-echo.wait': 'انتظار الصفحة',
  'local-echo.late': 'لم تستلم الصفحة هذا النص بعد',
};
