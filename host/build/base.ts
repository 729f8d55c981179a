/** Path at which the host serves `dist/client`. */
export const CLIENT_BASE = '/safeview-static/app/';
/** Path at which the host serves the client halves of plugins from outside this checkout: `{id}/{file}` below it. */
export const PLUGIN_BASE = '/safeview-static/plugins/';
