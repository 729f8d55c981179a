/** Minimum size of a body that is compressed, in bytes. */
export const COMPRESS_FROM_BYTES = 512;

export const DEFLATE = { threshold: COMPRESS_FROM_BYTES, zlibDeflateOptions: { level: 1 }, concurrencyLimit: 4 };
