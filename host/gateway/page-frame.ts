/** Content security policy of documents that our own client fills: no scripts at all. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  'frame-src blob:', // the document to be printed
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page frame that holds dialogs (S-109): an empty document that the shell renders into. `look`: markup of the link to the person's sheet. */
export function pageFrameDocument(look = ''): { readonly body: string; readonly policy: string } {
  return {
    policy: POLICY,
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Vitrine dialogs</title>${look}</head>
<body></body>
</html>
`,
  };
}
