import path from 'node:path';
import type { Rule } from 'eslint';
import type * as ESTree from 'estree';
import { LONG_FUNCTIONS, WIDE_CLASSES } from './exceptions.ts';

/** Lines of a function, blank lines and comments included. */
const MAX_FUNCTION_LINES = 80;

/** Instance fields of a class. */
const MAX_CLASS_FIELDS = 15;

const root = path.resolve(import.meta.dirname, '../..');

/** A node with the link to its parent that ESLint sets. */
type Linked<T> = T & { parent?: Linked<ESTree.Node> };
type AnyFunction = ESTree.FunctionDeclaration | ESTree.FunctionExpression | ESTree.ArrowFunctionExpression;

/** The name that a declaration, a property or a member gives to its value. */
function keyName(key: ESTree.Node | null | undefined): string | undefined {
  if (key?.type === 'Identifier') return key.name;
  if (key?.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key?.type === 'Literal') return String(key.value);
  return undefined;
}

function className(node: Linked<ESTree.Node> | undefined): string {
  const owner = node?.type === 'ClassBody' ? node.parent : undefined;
  return owner?.type === 'ClassDeclaration' ? owner.id.name : 'class';
}

/** The name of the called function, such as `evaluate` for `page.evaluate(...)`. */
function calleeName(callee: ESTree.Node): string {
  if (callee.type === 'CallExpression') return calleeName(callee.callee);
  if (callee.type === 'MemberExpression') return keyName(callee.property) ?? 'call';
  return keyName(callee) ?? 'call';
}

/** `describe` groups tests: its callback is as long as the group. */
function isTestGroup(node: Linked<AnyFunction>): boolean {
  const call = node.parent;
  if (call?.type !== 'CallExpression') return false;
  let callee: ESTree.Node = call.callee;
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression')
    callee = callee.type === 'CallExpression' ? callee.callee : callee.object;
  return callee.type === 'Identifier' && callee.name === 'describe';
}

/** Name of a function within its file: `name`, `Class.method`, or `callee()` for the callback of a call. */
function functionName(node: Linked<AnyFunction>): string {
  const { parent } = node;
  if (node.type !== 'ArrowFunctionExpression' && node.id) return node.id.name;
  if (parent?.type === 'VariableDeclarator') return keyName(parent.id) ?? 'function';
  if (parent?.type === 'MethodDefinition' || parent?.type === 'PropertyDefinition')
    return `${className(parent.parent)}.${keyName(parent.key) ?? 'member'}`;
  if (parent?.type === 'Property') return keyName(parent.key) ?? 'function';
  if (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') return `${calleeName(parent.callee)}()`;
  return 'function';
}

function exceptionKey(context: Rule.RuleContext, name: string): string {
  return `${path.relative(root, context.filename).split(path.sep).join('/')} ${name}`;
}

/** @param exceptions functions that may be longer, as `file name` */
const functionLines = (exceptions: Readonly<Record<string, string>>): Rule.RuleModule => ({
  meta: { type: 'suggestion', schema: [], docs: { description: `functions have at most ${MAX_FUNCTION_LINES} lines` } },
  create(context) {
    const check = (node: AnyFunction): void => {
      const { loc } = node;
      if (!loc || isTestGroup(node)) return;
      const lines = loc.end.line - loc.start.line + 1;
      if (lines <= MAX_FUNCTION_LINES) return;
      const key = exceptionKey(context, functionName(node));
      if (key in exceptions) return;
      const message = `"${key}" has ${lines} lines, more than ${MAX_FUNCTION_LINES}: split it (tests/lint/exceptions.ts).`;
      context.report({ node, message });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
});

/** @param exceptions classes that may have more, as `file name` */
const classFields = (exceptions: Readonly<Record<string, string>>): Rule.RuleModule => ({
  meta: { type: 'suggestion', schema: [], docs: { description: `classes have at most ${MAX_CLASS_FIELDS} fields` } },
  create(context) {
    const check = (node: ESTree.Class): void => {
      const fields = node.body.body.filter((member) => member.type === 'PropertyDefinition' && !member.static).length;
      if (fields <= MAX_CLASS_FIELDS) return;
      const key = exceptionKey(context, className(node.body));
      if (key in exceptions) return;
      const message = `"${key}" has ${fields} fields, more than ${MAX_CLASS_FIELDS}: split it (tests/lint/exceptions.ts).`;
      context.report({ node, message });
    };
    return { ClassDeclaration: check, ClassExpression: check };
  },
});

/** The rules about the size of functions and classes, and the same rules without exceptions. */
export const sizeRules = { 'function-lines': functionLines(LONG_FUNCTIONS), 'class-fields': classFields(WIDE_CLASSES) };
export const strictSizeRules = { 'function-lines': functionLines({}), 'class-fields': classFields({}) };
