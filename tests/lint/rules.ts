import path from 'node:path';
import type { Rule } from 'eslint';
import type * as ESTree from 'estree';
import { sizeRules } from './size-rules.ts';
import { wallFault } from './zones.ts';

const root = path.resolve(import.meta.dirname, '../..');

function relative(file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
}

const walls: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    docs: { description: 'keeps the walls between the zones of tests/lint/zones.ts' },
  },
  create(context) {
    const check = (source: ESTree.Node | null | undefined): void => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const isFile = source.value.startsWith('.');
      const target = isFile ? relative(path.resolve(path.dirname(context.filename), source.value)) : source.value;
      const message = wallFault(relative(context.filename), target, isFile);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      // `import('./x.ts').Y` as a type, which ESTree does not know.
      TSImportType: (node: { source?: ESTree.Node; argument?: { literal?: ESTree.Node } }) =>
        check(node.source ?? node.argument?.literal),
    };
  },
};

/** The name of a function or class that a statement exports, where the statement declares one. */
function exportedName(node: ESTree.ExportNamedDeclaration): string | undefined {
  const { declaration } = node;
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration')
    return declaration.id.name;
  if (declaration?.type !== 'VariableDeclaration') return undefined;
  const [first] = declaration.declarations;
  const isFunction = first?.init?.type === 'ArrowFunctionExpression' || first?.init?.type === 'FunctionExpression';
  return isFunction && first.id.type === 'Identifier' ? first.id.name : undefined;
}

const publicComment: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [],
    docs: { description: 'exported functions and classes have a contract comment' },
  },
  create(context) {
    const overloads = new Set<string>();
    return {
      ExportNamedDeclaration(node) {
        const signature = node.declaration as { type: string; id?: { name: string } } | null | undefined;
        const name = signature?.type === 'TSDeclareFunction' ? signature.id?.name : exportedName(node);
        // The comment is on the first overload; `activate` is documented in its plugin's README.
        if (name === undefined || name === 'activate' || overloads.has(name)) return;
        overloads.add(name);
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        if (comment?.type === 'Block' && comment.value.startsWith('*')) return;
        context.report({
          node: node,
          message: `${name} is public: say in a /** */ comment what it promises.`,
        });
      },
    };
  },
};

const BANNED_WORDS = new Set(['utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc']);

const fileName: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], docs: { description: 'files are kebab-case and named for one noun' } },
  create(context) {
    return {
      Program(node) {
        const parts = relative(context.filename)
          .replace(/(\.test|\.spec|\.config|\.d)?\.\w+$/, '')
          .split('/');
        const bad = parts.find((part) => !/^\.?[a-z0-9]+([.-][a-z0-9]+)*$/.test(part) || BANNED_WORDS.has(part));
        if (bad)
          context.report({ node, message: `"${bad}": files and folders are kebab-case and named for one noun.` });
      },
    };
  },
};

/** This project's own rules. */
export const houseRules = {
  rules: { walls, 'public-comment': publicComment, 'file-name': fileName, ...sizeRules },
};
