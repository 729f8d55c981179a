import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** The parts of the host that serve every feature alike. */
const COMMON_PARTS = ['host/*.ts', 'host/{base,compose,contracts,declared,gateway,link,cell,cells,plugins}/**/*.ts'];

/**
 * Plugin ids that are also words of the core. Only a string that is the id, or begins with it (`navigation.commit`,
 * `plugins/navigation/...`), names the plugin; an identifier does not.
 */
const CORE_WORDS: Readonly<Record<string, string>> = {
  dialogs: 'a page of the surrogate stands still while one of its dialogs is open',
  keyboard: 'a device',
  login: 'origins of login pages stand in the Content-Security-Policy of the shell',
  mirror: 'a renderer',
  mouse: 'a device',
  navigation: 'the load of a document',
  permissions: 'the permissions of a plugin’s manifest, and the permissions policy of a document',
  reconnect: 'the return of a channel',
  wheel: 'a device',
};

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

/** Whether a string is an id of the plugin, a message of it, or a path into its folder. */
function isAddressed(text: string, id: string): boolean {
  return text === id || text.startsWith(`${id}.`) || text.includes(`plugins/${id}/`) || text.startsWith(`/r/${id}`);
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
    for (const id of ids) if (id in CORE_WORDS ? isText && isAddressed(name, id) : holds(words, id)) named.add(id);
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

/** Lists the plugins that the common parts of the host name, as `file: plugin`. */
export function featuresNamed(): string[] {
  return globSync(COMMON_PARTS, { cwd: root, exclude: ['**/tests/**'] })
    .sort()
    .flatMap((file) => {
      const features = namedFeatures(file, readFileSync(path.join(root, file), 'utf8'));
      return features.map((id) => `${file.split(path.sep).join('/')}: ${id}`);
    });
}
