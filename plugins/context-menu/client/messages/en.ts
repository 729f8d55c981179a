/** Texts of the context menu. */
export const texts = {
  ID_SNACKBAR_CONTEXT_MENU_BLOCK: 'Your organisation has turned off this menu.',
};
