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
