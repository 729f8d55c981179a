/** Texts of the questions. */
export const texts = {
  'permissions.this-page': 'هذه الصفحة',
  'permissions.location-title': 'يريد {site} معرفة موقعك الجغرافي',
  'permissions.location-text': 'إذا سمحت بذلك، فسيُسأل متصفحك عن مكانك وتُبلَّغ الصفحة به.',
  'permissions.allow': 'سماح',
  'permissions.block': 'حظر',
};
