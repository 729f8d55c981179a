/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'هذه الصفحة',
  'permissions.location-title': 'يريد {site} معرفة موقعك الجغرافي',
  'permissions.location-text': 'إذا سمحت بذلك، تحصل الصفحة على موقعك من متصفحك.',
  'permissions.allow': 'سماح',
  'permissions.block': 'حظر',
  'permissions.refused-media': 'طلب {site} الكاميرا أو الميكروفون: لا تحصل عليهما الصفحات هنا.',
  'permissions.refused-notifications': 'طلب {site} إرسال إشعارات: لا يمكن للصفحات ذلك هنا.',
};
