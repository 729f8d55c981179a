/** Texte des Kontextmenüs. */
export const texts = {
  ID_SNACKBAR_CONTEXT_MENU_BLOCK: 'Ihre Organisation hat dieses Menü abgeschaltet.',
};
