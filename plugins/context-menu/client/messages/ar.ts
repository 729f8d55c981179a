/** نصوص القائمة السياقية. */
export const texts = {
  ID_SNACKBAR_CONTEXT_MENU_BLOCK: 'أوقفت مؤسستك هذه القائمة.',
};
