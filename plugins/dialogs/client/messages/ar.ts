/** Texts of the dialogs. */
export const texts = {
  'dialogs.this-page': 'هذه الصفحة',
  'dialogs.says': 'رسالة من {site}',
  'dialogs.asks': 'سؤال من {site}',
  'dialogs.ok': 'موافق',
  'dialogs.cancel': 'إلغاء',
  'dialogs.leave-title': 'هل تريد مغادرة هذه الصفحة؟',
  'dialogs.leave-text': 'قد لا تُحفظ التغييرات التي أجريتها.',
  'dialogs.leave': 'مغادرة',
  'dialogs.stay': 'بقاء',
  'dialogs.hangs-title': '{site} لا تستجيب',
  'dialogs.hangs-text': 'هناك ما يشغل الصفحة. يمكنك الانتظار أو إيقافه.',
  'dialogs.stop': 'إيقاف',
  'dialogs.wait': 'انتظار',
};
