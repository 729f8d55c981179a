/**
 * Shortcuts of browsers that any page may prevent: the address bar, bookmarks, downloads, history, reloading, zoom, developer tools, back and
 * forward. Those for tabs and windows are not among them, and neither are F6 and F11, the person's way out of a page.
 */
export const PREVENTABLE: readonly string[] = [
  ...['mod+l', 'mod+d', 'mod+h', 'mod+j', 'mod+r', 'mod+shift+r', 'f5', 'mod+f5', 'shift+f5'],
  ...['mod++', 'mod+shift++', 'mod+=', 'mod+-', 'mod+0', 'f12', 'alt+arrowleft', 'alt+arrowright'],
  ...['mod+shift+c', 'mod+shift+i', 'mod+shift+j', 'mod+shift+k'],
];
