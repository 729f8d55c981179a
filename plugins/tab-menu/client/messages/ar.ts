/** نصوص قائمة التبويب. */
export const texts = {
  'tab-menu.label': 'قائمة التبويب',
  'tab-menu.bypass': 'فتح بدون عزل',
  'tab-menu.not-bypassed': 'تعذّر فتح هذا الموقع بدون عزل.',
  'tab-menu.protection': 'ما الذي يحمي هذا التبويب',
};
