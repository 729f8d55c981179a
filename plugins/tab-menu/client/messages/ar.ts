/** نصوص قائمة التبويب. */
export const texts = {
  'tab-menu.label': 'قائمة التبويب',
  'tab-menu.protection': 'ما الذي يحمي هذا التبويب',
};
