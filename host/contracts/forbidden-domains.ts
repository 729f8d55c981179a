/** Domains of CDP that reach past the tab: never for plugins, whatever a manifest says. */
export const FORBIDDEN_DOMAINS: readonly string[] = [
  'Browser',
  'Target',
  'SystemInfo',
  'Tethering',
  'IO',
  'Extensions',
  'Tracing',
  'Memory',
];

/** Methods that reach past the tab, although their domain does not: they name files of the host. */
export const FORBIDDEN_METHODS: readonly string[] = [
  'DOM.setFileInputFiles',
  'DOM.getFileInfo',
  'Input.dispatchDragEvent',
  'Page.setDownloadBehavior',
];
