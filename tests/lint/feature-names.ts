import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** The parts that serve every feature alike. */
const COMMON_PARTS = [
  'core/**/*.{ts,tsx}',
  'host/*.ts',
  'host/{base,cell,cells,compose,contracts,declared,gateway,link,plugins,policy}/**/*.ts',
];

/**
 * Plugins that were carved into the common parts by hand before they had folders: there, no identifier and no file has such a word in its
 * name. Of all others, which may be words of the core, too (`touch`, `find`), only strings count that address them.
 */
const CARVED = [
  'clipboard',
  'context-menu',
  'favicon-title',
  'fullscreen',
  'hud',
  'popups',
  'print',
  'watermark',
  'webauthn',
];

/** Splits `heldClipboard`, `held-clipboard` and `HELD_CLIPBOARD` into their words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function holds(words: readonly string[], id: string): boolean {
  const wanted = id.split('-');
  return words.some((_, start) => wanted.every((word, index) => words[start + index] === word));
}

/** Whether a string is a message of the plugin, a route, or a path into its folder. */
function isAddressed(text: string, id: string): boolean {
  return text.startsWith(`${id}.`) || text.includes(`plugins/${id}/`) || text.startsWith(`/r/${id}`);
}

/** Ids of the plugins in this checkout. */
function pluginIds(): string[] {
  return readdirSync(path.join(root, 'plugins'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** The plugins that a source text names by an identifier, a string without spaces, or its file name. */
export function namedFeatures(file: string, text: string, ids: readonly string[] = pluginIds()): string[] {
  const named = new Set<string>();
  const look = (name: string, isText: boolean): void => {
    if (/\s|^[A-Z][A-Za-z]+\.\w+$/.test(name)) return; // prose, or a method of the browser's protocol
    if (isText && name.startsWith('-')) return; // an option of a command
    const words = wordsOf(name);
    for (const id of ids) if (CARVED.includes(id) ? holds(words, id) : isText && isAddressed(name, id)) named.add(id);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) look(node.text, false);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      look(node.text, true);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  look(path.basename(file, path.extname(file)), false);
  return [...named].sort();
}

/** Lists the plugins that the common parts name, as `file: plugin`. */
export function featuresNamed(ids: readonly string[] = pluginIds()): string[] {
  return globSync(COMMON_PARTS, { cwd: root, exclude: ['**/tests/**', 'core/testing/**'] })
    .sort()
    .flatMap((file) => {
      const features = namedFeatures(file, readFileSync(path.join(root, file), 'utf8'), ids);
      return features.map((id) => `${file.split(path.sep).join('/')}: ${id}`);
    });
}
