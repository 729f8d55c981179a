/**
 * Schemas for texts and links that administrators configure and people see, with the rules of the specification (S-086,
 * S-087). Checked when the file is read, and again by the client.
 */
import * as v from 'valibot';

const MAX_LOGO = 300_000;

/** Text that is shown: without `< > " /`, which the client would strip. */
export const plainText = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(
    /^[^<>"/\u0000-\u0008\u000b-\u001f\u007f]*$/,
    'write it without < > " and /, which would be stripped, and without control characters',
  ),
);

/** The read-only text of the feedback bar, which may contain a slash. */
export const readOnlyText = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(
    /^[^<>"\u0000-\u0008\u000b-\u001f\u007f]*$/,
    'write it without < > and ", which would be stripped, and without control characters',
  ),
);

export const colour = v.pipe(
  v.string(),
  v.regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'write #RGB or #RRGGBB, in quotes'),
);

/** A link or the address of a logo. */
export const webAddress = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^https?:\/\/[^\s<>"']+$/, 'write an address that starts with http:// or https://'),
);

export const inlineLogo = v.pipe(
  v.string(),
  v.maxLength(MAX_LOGO),
  v.regex(
    /^data:image\/(?:gif|png|jpeg|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
    'write a picture as data:image/...;base64,... of the kind gif, png, jpeg or svg+xml',
  ),
);

export const font = v.picklist(['arial', 'georgia', 'gotham', 'helvetica', 'lucida', 'tahoma', 'times', 'verdana']);
export const barType = v.picklist(['wide', 'regular']);
export const bannerTheme = v.picklist(['white', 'yellow', 'red']);
