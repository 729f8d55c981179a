/** نصوص الحافظة. */
export const texts = {
  'clipboard.copy-restricted': 'لا تسمح مؤسستك بالنسخ من هذه الصفحة.',
  'clipboard.paste-restricted': 'لا تسمح مؤسستك بلصق هذا هنا.',
  'clipboard.paste-limit': 'تسمح مؤسستك هنا بلصق نص عادي لا يزيد على {limit} حرفًا.',
  'clipboard.copy-restricted-by': 'لا تسمح مؤسستك بالنسخ من {site}.',
  'clipboard.paste-restricted-by': 'لا تسمح مؤسستك بلصق هذا في {site}.',
  'clipboard.paste-limit-by': 'تسمح مؤسستك بلصق نص عادي لا يزيد على {limit} حرفًا في {site}.',
  'clipboard.no-policy': 'النسخ واللصق متوقفان: تعذرت قراءة ما تسمح به مؤسستك.',
  'clipboard.copy-failed': 'تعذر نسخ هذا.',
  'clipboard.paste-failed': 'تعذر لصق هذا.',
  'clipboard.keys-title': 'النسخ واللصق بلوحة المفاتيح',
  'clipboard.keys-text': 'لا يوجد ما يُلصق بعد. تعمل المفاتيح دائمًا، حتى حيث لا تعمل قائمة في الصفحة.',
  'clipboard.copy': 'نسخ',
  'clipboard.cut': 'قص',
  'clipboard.paste': 'لصق',
  'clipboard.ctrl': 'Ctrl',
  'clipboard.ok': 'موافق',
};
