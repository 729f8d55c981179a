import path from 'node:path';
import ts from 'typescript';

/** A use of another module: of one of its exports, of `default`, or of all (`*`). */
interface Use {
  /** As in the source: a path from the file, or a package. */
  readonly specifier: string;
  readonly name: string;
  /** Whether it is of types alone, and erased at run time. */
  readonly isType: boolean;
}

/** An export of a module, and its line. */
interface Exported {
  readonly name: string;
  readonly line: number;
  /** Whether it declares a message: those of a protocol are collected by the plugin's manifest. */
  readonly isMessage: boolean;
}

/** Exports of a module, and its uses of other modules. */
export interface ModuleRecord {
  readonly exports: readonly Exported[];
  readonly uses: readonly Use[];
  /** Specifiers of `export * from`. */
  readonly passedOn: readonly string[];
  /** Strings that look like source files: entries of threads, bundles and commands. */
  readonly named: readonly string[];
}

const SOURCE_NAME = /^[\w@./-]+\.(?:ts|tsx|mjs|js)$/;

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

/** The names that a pattern destructures of a module: `{ a, b: c }`; undefined where it takes the whole. */
function pickedBy(pattern: ts.BindingName): string[] | undefined {
  if (!ts.isObjectBindingPattern(pattern)) return undefined;
  if (pattern.elements.some((element) => element.dotDotDotToken)) return undefined;
  return pattern.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
}

function skipWrappers(node: ts.Node): ts.Node {
  const { parent } = node;
  const wraps = ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent);
  return wraps ? skipWrappers(parent) : node;
}

/** The names that are used of `import(...)`, as far as the syntax around it shows. */
function takenOf(call: ts.CallExpression): readonly string[] {
  const whole = skipWrappers(call);
  const { parent } = whole;
  if (ts.isVariableDeclaration(parent)) return pickedBy(parent.name) ?? ['*'];
  if (!ts.isPropertyAccessExpression(parent)) return ts.isExpressionStatement(parent) ? [] : ['*'];
  if (parent.name.text !== 'then') return [parent.name.text];
  const then = parent.parent;
  const [handler] = ts.isCallExpression(then) ? then.arguments : [];
  const parameter = handler && ts.isArrowFunction(handler) ? handler.parameters[0] : undefined;
  return (parameter && pickedBy(parameter.name)) ?? ['*'];
}

/** Names of a namespace import that a file uses, `*` where the namespace is passed on whole. */
function membersOf(file: ts.SourceFile, namespace: string): string[] {
  const members = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === namespace && !ts.isNamespaceImport(node.parent)) {
      const { parent } = node;
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node) members.add(parent.name.text);
      else if (ts.isQualifiedName(parent) && parent.left === node) members.add(parent.right.text);
      else members.add('*');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...members];
}

function importedNames(file: ts.SourceFile, clause: ts.ImportClause): string[] {
  const names = clause.name ? ['default'] : [];
  const { namedBindings } = clause;
  if (!namedBindings) return names;
  if (ts.isNamespaceImport(namedBindings)) return [...names, ...membersOf(file, namedBindings.name.text)];
  return [...names, ...namedBindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)];
}

function declaredNames(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement)) {
    const names: ts.Identifier[] = [];
    const add = (name: ts.BindingName): void => {
      if (ts.isIdentifier(name)) names.push(name);
      else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
    };
    for (const { name } of statement.declarationList.declarations) add(name);
    return names;
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name] : [];
}

function isMessage(name: ts.Identifier): boolean {
  const { parent } = name;
  const value = ts.isVariableDeclaration(parent) ? parent.initializer : undefined;
  return value !== undefined && ts.isCallExpression(value) && value.expression.getText() === 'message';
}

/** Records by text: several rules read the same files. */
const records = new Map<string, ModuleRecord>();

/** Reads the exports and the uses of a source text. */
export function moduleRecord(fileName: string, text: string): ModuleRecord {
  const key = `${fileName}\n${text}`;
  const known = records.get(key) ?? readRecord(fileName, text);
  records.set(key, known);
  return known;
}

function readRecord(fileName: string, text: string): ModuleRecord {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const exports = new Map<string, Exported>();
  const uses: Use[] = [];
  const passedOn: string[] = [];
  const named: string[] = [];
  const declare = (name: string, node: ts.Node, declaresMessage = false): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    exports.set(name, { name, line: line + 1, isMessage: declaresMessage });
  };
  const use = (specifier: ts.Node | undefined, names: readonly string[], isType = false): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    // A side-effect import still loads the module.
    for (const name of names.length > 0 ? names : ['']) uses.push({ specifier: specifier.text, name, isType });
  };
  const exportsOf = (node: ts.ExportDeclaration): void => {
    const { exportClause: clause, moduleSpecifier: from } = node;
    if (!clause) {
      if (from && ts.isStringLiteral(from)) passedOn.push(from.text);
      return use(from, [], node.isTypeOnly);
    }
    if (ts.isNamespaceExport(clause)) {
      declare(clause.name.text, clause);
      return use(from, ['*'], node.isTypeOnly);
    }
    for (const element of clause.elements) {
      declare(element.name.text, element);
      use(from, [(element.propertyName ?? element.name).text], node.isTypeOnly);
    }
  };
  const importsOf = ({ importClause: clause, moduleSpecifier: from }: ts.ImportDeclaration): void =>
    use(from, clause ? importedNames(file, clause) : [], clause?.isTypeOnly);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return importsOf(node);
    if (ts.isExportDeclaration(node)) return exportsOf(node);
    if (ts.isExportAssignment(node)) declare('default', node);
    else if (ts.isStatement(node) && hasModifier(node, ts.SyntaxKind.ExportKeyword)) {
      if (hasModifier(node, ts.SyntaxKind.DefaultKeyword)) declare('default', node);
      else for (const name of declaredNames(node)) declare(name.text, name, isMessage(name));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      use(node.arguments[0], takenOf(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      use(node.argument.literal, [node.qualifier ? (node.qualifier.getText().split('.')[0] ?? '*') : '*'], true);
    else if (ts.isStringLiteralLike(node) && SOURCE_NAME.test(node.text)) named.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { exports: [...exports.values()], uses, passedOn, named: named.map((name) => path.posix.normalize(name)) };
}
