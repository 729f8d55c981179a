import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright/test';
import { bundleScript } from '../../../core/testing/script-page.ts';
import { TELL } from './editing.ts';
import type { Site } from './site.ts';

/** Editors of npm that change what is typed into them. */
export const EDITORS = ['codemirror', 'quill', 'lexical', 'prosemirror', 'tinymce'] as const;
export const FIELDS = {
  input: '<input id="editor" value="one two">',
  textarea: '<textarea id="editor" rows="8">one two</textarea>',
};

const pageWith = (html: string, script = ''): string =>
  `<!doctype html><html data-ready="1"><meta charset="utf-8"><style>body{margin:8px;font:16px sans-serif}#editor{width:600px}.tox-tinymce{visibility:visible!important}</style>${html}<output style="position:fixed;bottom:0;max-width:100%;overflow:hidden;white-space:pre"></output>${script}<script>${TELL}</script>`;

/** Its files as its package has them: they find each other by a global name. */
const TINYMCE = ['tinymce', 'icons/default/icons', 'models/dom/model', 'themes/silver/theme'];
/** Its text is the document of a frame. */
const OPEN_TINYMCE = `tinymce.init({ selector: '#editor', license_key: 'gpl', skin: false, content_css: false, menubar: false,
  content_style: 'body{font:16px sans-serif;margin:8px}', toolbar: false, statusbar: false, height: 200 });`;

async function scriptOf(editor: string): Promise<string> {
  if (editor !== 'tinymce') return bundleScript(path.join(import.meta.dirname, `editors/${editor}.ts`));
  const folder = path.join(import.meta.dirname, '../../../node_modules/tinymce');
  const files = await Promise.all(TINYMCE.map((file) => readFile(path.join(folder, `${file}.min.js`), 'utf8')));
  return [...files, OPEN_TINYMCE].join(';\n');
}

/** Where the text is edited: in the page, or in its frame. */
export const focusEditor = async (frame: FrameLocator | Page, name: string): Promise<void> => {
  const at =
    name === 'tinymce'
      ? frame.frameLocator('iframe').locator('body')
      : name in FIELDS
        ? frame.locator('#editor')
        : frame.locator('[contenteditable="true"]').first();
  await at.click();
};

/** Puts the page of an editor, or of a field, at `/editor` of a site; it writes into `output` what it has: {@link TELL}. */
export async function serveEditor(site: Site, name: string): Promise<void> {
  if (name in FIELDS) {
    site.on('/editor', pageWith(FIELDS[name as keyof typeof FIELDS])); // it is one of its names
    return;
  }
  const script = await scriptOf(name);
  site.on('/editor.js', (_request, response) => {
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.end(script);
  });
  site.on('/editor', pageWith('<div id="editor"></div>', '<script src="/editor.js"></script>'));
}
