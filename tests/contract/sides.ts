/** Where the code of the product runs, and between which sides each part of the protocol goes. */
import path from 'node:path';
import ts from 'typescript';
import type { Direction } from '../../core/protocol/message.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Where code runs: in the person's browser, in the host, or in the surrogate's page. */
export type Side = 'client' | 'host' | 'page';

/** Files of the protocol. */
export const PROTOCOL = /^(?:core\/protocol\/[\w-]+|plugins\/[\w-]+\/protocol)\.ts$/;

const SIDES: readonly (readonly [RegExp, Side | undefined])[] = [
  [/^core\/(?:protocol|contracts|plugins|hooks)\//, undefined],
  [/^core\/kernel\/|^core\/(?:page|main|extension)(?:-entry)?\.ts$/, 'page'],
  [/^plugins\/[\w-]+\/(?:page|main|extension)\//, 'page'],
  [/^host\/|^plugins\/[\w-]+\/host\//, 'host'],
  [/^core\/|^plugins\/[\w-]+\/client\//, 'client'],
];

/** The side of a file; undefined where several sides may use it. */
function sideOf(file: string): Side | undefined {
  return SIDES.find(([pattern]) => pattern.test(file))?.[1];
}

/** The path of a node's file from the root. */
export function fileOf(node: ts.Node): string {
  return path.posix.relative(root, node.getSourceFile().fileName);
}

/** The two ends of a direction. */
export function endsOf(direction: Direction): readonly [from: Side, to: Side] {
  return direction.split('-to-') as [Side, Side]; // as its names are made
}

/** The other way. */
export function reversed(direction: Direction): Direction {
  const [from, to] = endsOf(direction);
  return `${to}-to-${from}` as Direction; // both ways are directions
}

/** The symbol that a name stands for, also one that is imported. */
export function symbolOf(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The function, class or constant of a module that a node is in. */
export function topOf(node: ts.Node): ts.Node | undefined {
  let at = node;
  for (; !ts.isSourceFile(at); at = at.parent) {
    const isTop = ts.isVariableDeclaration(at) ? ts.isSourceFile(at.parent.parent.parent) : ts.isSourceFile(at.parent);
    if (isTop && !ts.isVariableStatement(at)) return at;
  }
  return undefined;
}

/**
 * The sides on which code of the product runs. A file of one side is that side's. Of a file that several may use, a function, class or constant
 * is of the sides whose code refers to it, by whatever other such declarations.
 */
export class CodeSides {
  readonly #checker: ts.TypeChecker;
  readonly #sides = new Map<ts.Node, Set<Side>>();
  /** Declarations that refer to the key. */
  readonly #users = new Map<ts.Node, Set<ts.Node>>();
  readonly #names = new Set<string>();

  constructor(checker: ts.TypeChecker, sources: ReadonlyMap<string, ts.SourceFile>) {
    this.#checker = checker;
    for (const [name, file] of sources) if (!sideOf(name)) this.#declare(file);
    // Names under which they are imported.
    for (const file of sources.values())
      for (const statement of file.statements)
        if (ts.isImportDeclaration(statement)) {
          const bindings = statement.importClause?.namedBindings;
          for (const each of bindings && ts.isNamedImports(bindings) ? bindings.elements : [])
            if (each.propertyName && this.#names.has(each.propertyName.text)) this.#names.add(each.name.text);
        }
    for (const [name, file] of sources) this.#refer(file, sideOf(name));
    this.#spreadSides();
  }

  /** The sides on which a node's code runs. */
  of(node: ts.Node): ReadonlySet<Side> {
    const side = sideOf(fileOf(node));
    if (side) return new Set([side]);
    return this.#sides.get(topOf(node) ?? node) ?? new Set();
  }

  #declare(file: ts.SourceFile): void {
    for (const statement of file.statements) {
      const all = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
      for (const each of all) {
        const { name } = each as ts.NamedDeclaration; // those without one are of no use to others
        if (!name || !ts.isIdentifier(name)) continue;
        this.#names.add(name.text);
        this.#sides.set(each, new Set());
      }
    }
  }

  #refer(file: ts.SourceFile, side: Side | undefined): void {
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
      if (ts.isIdentifier(node) && this.#names.has(node.text)) this.#note(node, side);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  #note(node: ts.Identifier, side: Side | undefined): void {
    const [declaration] = symbolOf(this.#checker, node)?.declarations ?? [];
    const used = declaration && topOf(declaration);
    const sides = used && this.#sides.get(used);
    if (!sides) return;
    if (side) sides.add(side);
    const user = side ? undefined : topOf(node);
    if (!user || user === used) return;
    const users = this.#users.get(used) ?? new Set();
    this.#users.set(used, users.add(user));
  }

  #spreadSides(): void {
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const [used, users] of this.#users) {
        const sides = this.#sides.get(used) ?? new Set();
        const before = sides.size;
        for (const user of users) for (const side of this.#sides.get(user) ?? []) sides.add(side);
        isMore ||= sides.size > before;
      }
    }
  }
}
