import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The address of the gallery, and of its files below. */
const BASE = '/gallery';
const SURFACES = '{core,plugins}/*/tests/gallery.tsx';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const DOCUMENT = `<!doctype html>
<html lang="en" data-vitrine-role="top" data-vitrine-state="ready">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gallery - Vitrine</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${BASE}/css/core/overlay/shell.css">
<link rel="stylesheet" href="${BASE}/css/host/gallery/gallery.css">
<script type="module" src="${BASE}/entry.js"></script>
</head>
<body>
<div class="gallery-page"><h1>A page</h1><p>Some text of a page that stands below what is shown. It is long enough to be seen around it, and says nothing.</p></div>
</body>
</html>
`;

/** Files of the gallery by the path below its address. */
type GalleryFiles = ReadonlyMap<string, { readonly type: string; readonly body: string }>;

/** Builds the gallery of the surfaces of a checkout, from its sources. */
async function buildGallery(root: string): Promise<GalleryFiles> {
  const { build } = await import('esbuild');
  const modules = globSync(SURFACES, { cwd: root }).sort();
  const entry = [
    "import { startGallery } from './core/testing/gallery-shell.ts';",
    ...modules.map((file, i) => `import { surfaces as s${i} } from './${file}';`),
    `void startGallery([${modules.map((_, i) => `...s${i}`).join(', ')}]);`,
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.ts', loader: 'ts' },
    absWorkingDir: root,
    outdir: '/',
    entryNames: 'entry',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [
      {
        name: 'sheets',
        setup: (setup) => {
          setup.onLoad({ filter: /\.css$/ }, ({ path: file }) => ({
            contents: `export default ${JSON.stringify(`${BASE}/css/${path.relative(root, file)}`)}`,
          }));
        },
      },
    ],
  });
  const files = new Map(outputFiles.map((file) => [file.path, { type: 'text/javascript', body: file.text }]));
  for (const sheet of globSync('{core,plugins,host/gallery}/**/*.css', { cwd: root }))
    files.set(`/css/${sheet}`, { type: 'text/css', body: await readFile(path.join(root, sheet), 'utf8') });
  files.set('/entry.html', { type: 'text/html', body: DOCUMENT });
  return files;
}

/** A whole document of the host's own, in one state, and a content security policy for it where the gallery's does not do. */
export interface GalleryDocument {
  readonly body: string;
  readonly policy?: string;
}

/** Makes one by its name, with this style sheet, in the languages of `accept-language`; undefined where there is none. */
type DocumentOf = (name: string, sheet: string, languages: string) => GalleryDocument | undefined;

/** Serves the gallery, built with the first request. For development: what it shows is nobody's, but it is built from the tests. */
export function galleryRoutes(app: FastifyInstance, root: string, documentOf: DocumentOf): void {
  let files: Promise<GalleryFiles> | undefined;
  const send = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    files ??= buildGallery(root);
    const file = (await files).get(name);
    if (!file) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-store')
      .type(`${file.type}; charset=utf-8`)
      .send(file.body);
  };
  app.get<{ Params: { name: string }; Querystring: { lang?: string } }>(
    `${BASE}/documents/:name`,
    ({ params, query }, reply) => {
      const found = documentOf(params.name, `${BASE}/css/core/portal/portal.css`, query.lang ?? 'en');
      if (!found) return reply.callNotFound();
      return reply
        .header('content-security-policy', found.policy ?? POLICY)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(found.body);
    },
  );
  app.get(BASE, (_request, reply) => send(reply, '/entry.html'));
  app.get<{ Params: { '*': string } }>(`${BASE}/*`, (request, reply) => send(reply, `/${request.params['*']}`));
}
