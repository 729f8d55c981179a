/** Where the host serves `dist/client`. */
export const CLIENT_BASE = '/safeview-static/app/';
