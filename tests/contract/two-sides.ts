/** Finds which code of the product writes and which reads each field of the protocol, and which sends and handles each message. */
import path from 'node:path';
import ts from 'typescript';
import { productProgram } from './product-program.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Where code runs: in the person's browser, in the host, in the surrogate's page, or in several. */
type Side = 'client' | 'host' | 'page' | 'shared';

/** A field of the protocol, or a message: the sides that produce it, and those that understand it. */
export interface Sides {
  readonly by: Set<Side>;
  readonly to: Set<Side>;
}

const PROTOCOL = /^(?:core\/protocol\/[\w-]+|plugins\/[\w-]+\/protocol)\.ts$/;
const SIDES: readonly (readonly [RegExp, Side])[] = [
  [/^core\/protocol\/|^core\/contracts\/|^core\/(?:plugins|hooks)\//, 'shared'],
  [/^core\/kernel\/|^core\/(?:page|main|extension)(?:-entry)?\.ts$/, 'page'],
  [/^plugins\/[\w-]+\/(?:page|main|extension)\//, 'page'],
  [/^host\/|^plugins\/[\w-]+\/host\//, 'host'],
  [/^core\/|^plugins\/[\w-]+\/client\//, 'client'],
];

function sideOf(file: string): Side {
  return SIDES.find(([pattern]) => pattern.test(file))?.[1] ?? 'shared';
}

/** The call that a message is an argument of, also as one branch of a choice. */
function callWith(node: ts.Node): ts.CallExpression | undefined {
  let at = node;
  while (ts.isConditionalExpression(at.parent) || ts.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  return ts.isCallExpression(parent) && parent.arguments.includes(at as ts.Expression) ? parent : undefined;
}

function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

const places = new Map<ts.Node, string | undefined>();

/** A property of a `v.object(...)`, an interface or a table of the protocol, by its constant: `pairAnswer.safe_rid`. */
function placeOf(declaration: ts.Node): string | undefined {
  if (!places.has(declaration)) places.set(declaration, findPlace(declaration));
  return places.get(declaration);
}

function findPlace(declaration: ts.Node): string | undefined {
  const file = path.posix.relative(root, declaration.getSourceFile().fileName);
  if (!PROTOCOL.test(file)) return undefined;
  if (!ts.isPropertyAssignment(declaration) && !ts.isPropertySignature(declaration)) return undefined;
  const names: string[] = [];
  for (let at: ts.Node = declaration; !ts.isSourceFile(at); at = at.parent)
    if (isNamed(at)) names.unshift(nameOf(at.name));
    else if (ts.isFunctionDeclaration(at)) names.unshift(at.name?.text ?? '');
  return `${file} ${names.join('.')}`;
}

function isNamed(node: ts.Node) {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isPropertySignature(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isInterfaceDeclaration(node)
  );
}

/** A name without quotes. */
function nameOf(name: ts.Node): string {
  return ts.isStringLiteralLike(name) ? name.text : name.getText();
}

/** A member of the interface of control messages, or a kind of entries in frames. */
function isOfChannel({ parent }: ts.Node): boolean {
  if (ts.isInterfaceDeclaration(parent)) return parent.name.text === 'Control';
  return ts.isAsExpression(parent.parent) && /^KIND\b/.test(parent.parent.parent.getText());
}

function isSchemaObject(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const { parent } = node;
  if (ts.isCallExpression(parent)) return /^v\.(?:\w*[oO]bject|variant)$/.test(parent.expression.getText());
  return ts.isVariableDeclaration(parent) && /Fields$/.test(parent.name.getText());
}

function isCompared({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

function isDeclaredInProtocol({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => placeOf(each) !== undefined);
}

/** Reads the sources of the product once. Takes seconds. */
export class ProtocolUses {
  /** By `file schema.field`. */
  readonly fields = new Map<string, Sides>();
  /** Values of picklists, by `file schema.field=value`. */
  readonly kinds = new Map<string, Sides>();
  /** By `file constant`. */
  readonly messages = new Map<string, Sides>();
  readonly #checker: ts.TypeChecker;
  /** Names of fields. */
  readonly #names = new Set<string>();

  constructor() {
    const { checker, sources } = productProgram();
    this.#checker = checker;
    for (const [name, file] of sources) if (PROTOCOL.test(name)) this.#declare(file);
    for (const [name, file] of sources) {
      if (name.startsWith('plugins/compositor/')) continue; // the second renderer has no halves yet
      const side = sideOf(name);
      const visit = (node: ts.Node): void => {
        this.#look(node, side);
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  }

  #declare(file: ts.SourceFile): void {
    const visit = (node: ts.Node): void => {
      const isField = ts.isPropertyAssignment(node) && (isSchemaObject(node.parent) || isOfChannel(node));
      if (isField || (ts.isPropertySignature(node) && isOfChannel(node))) {
        const place = placeOf(node) ?? '';
        this.fields.set(place, { by: new Set(), to: new Set() });
        this.#names.add(nameOf(node.name));
        const initializer = ts.isPropertyAssignment(node) ? node.initializer.getText() : '';
        const list = /^(?:v\.)?(?:\w*[oO]ptional\()?v\.picklist\(\[([^\]]*)\]/.exec(initializer)?.[1] ?? '';
        for (const [, value = ''] of list.matchAll(/'([^']*)'/g))
          this.kinds.set(`${place}=${value}`, { by: new Set(), to: new Set() });
      }
      if (ts.isVariableDeclaration(node) && node.initializer && /^message\(/.test(node.initializer.getText()))
        this.messages.set(`${path.posix.relative(root, file.fileName)} ${node.name.getText()}`, {
          by: new Set(),
          to: new Set(),
        });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  #look(node: ts.Node, side: Side): void {
    if (ts.isIdentifier(node)) this.#message(node, side);
    if (ts.isPropertyAccessExpression(node) && this.#names.has(node.name.text))
      this.#read(node.expression, node.name.text, node, side);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      this.#read(node.expression, node.argumentExpression.text, node, side);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name).getText();
      if (this.#names.has(name) && !node.name.getText().startsWith('_')) this.#read(node.parent, name, node, side);
    }
    if (ts.isObjectLiteralExpression(node)) this.#literal(node, side);
    else if (ts.isExpression(node)) this.#passed(node, side);
  }

  #message(node: ts.Identifier, side: Side): void {
    const call = callWith(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node);
    if (!call) return;
    let symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    const [declaration] = symbol?.declarations ?? [];
    if (!declaration || !ts.isVariableDeclaration(declaration)) return;
    const file = path.posix.relative(root, declaration.getSourceFile().fileName);
    const uses = this.messages.get(`${file} ${declaration.name.getText()}`);
    if (/^(?:handle|onCall)$/.test(calledName(call))) {
      uses?.to.add(side);
      return;
    }
    uses?.by.add(side);
    const [params] = this.#checker.getTypeArguments(
      this.#checker.getTypeOfSymbol(symbol as ts.Symbol) as ts.TypeReference,
    );
    const at = call.arguments.findIndex((argument) => argument.pos <= node.pos && node.end <= argument.end);
    const given = call.arguments[at + 1];
    if (params && given) this.#given(given, params, side);
  }

  #fieldsOf(type: ts.Type, name: string): string[] {
    const each = type.isUnion() ? type.types : [type];
    return each
      .flatMap((one) => this.#checker.getPropertyOfType(one, name)?.declarations ?? [])
      .flatMap((declaration) => placeOf(declaration) ?? []);
  }

  #read(of: ts.Node, name: string, node: ts.Node, side: Side): void {
    const { parent } = node;
    if (
      ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    )
      return;
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(of));
    const isProduced = of.getText() === 'KIND' && !isCompared(node);
    for (const field of this.#fieldsOf(type, name)) this.fields.get(field)?.[isProduced ? 'by' : 'to'].add(side);
  }

  #write(target: ts.Type, name: string, value: ts.Type, side: Side): void {
    for (const field of this.#fieldsOf(target, name)) {
      this.fields.get(field)?.by.add(side);
      for (const one of value.isUnion() ? value.types : [value])
        if (one.isStringLiteral()) this.kinds.get(`${field}=${one.value}`)?.by.add(side);
    }
  }

  /** A value that is sent: an object, or an expression of one. */
  #given(node: ts.Expression, target: ts.Type, side: Side): void {
    if (ts.isParenthesizedExpression(node)) this.#given(node.expression, target, side);
    else if (ts.isConditionalExpression(node)) {
      this.#given(node.whenTrue, target, side);
      this.#given(node.whenFalse, target, side);
    } else if (ts.isObjectLiteralExpression(node)) this.#assign(node, target, side);
    else this.#spread(node, target, side);
  }

  #literal(node: ts.ObjectLiteralExpression, side: Side): void {
    if (isSchemaObject(node)) return;
    const isOfInterest = node.properties.some(({ name }) => name && this.#names.has(nameOf(name)));
    const target = isOfInterest ? this.#checker.getContextualType(node) : undefined;
    if (target) this.#assign(node, target, side);
  }

  #assign(node: ts.ObjectLiteralExpression, target: ts.Type, side: Side): void {
    for (const property of node.properties)
      if (ts.isPropertyAssignment(property))
        this.#write(target, nameOf(property.name), this.#checker.getTypeAtLocation(property.initializer), side);
      else if (ts.isShorthandPropertyAssignment(property))
        this.#write(target, property.name.text, this.#valueOf(property), side);
      else if (ts.isSpreadAssignment(property)) this.#spread(property.expression, target, side);
  }

  #valueOf(property: ts.ShorthandPropertyAssignment): ts.Type {
    const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
    return symbol ? this.#checker.getTypeOfSymbol(symbol) : this.#checker.getTypeAtLocation(property.name);
  }

  /** A value that is passed as one of a protocol's type, or spread into one: it counts if it gets its fields elsewhere. */
  #spread(expression: ts.Expression, target: ts.Type, side: Side): void {
    const given = this.#checker.getTypeAtLocation(expression);
    for (const one of given.isUnion() ? given.types : [given]) {
      if (!(one.flags & ts.TypeFlags.Object)) continue;
      for (const property of one.getProperties()) {
        const own = (property.declarations ?? []).flatMap((each) => placeOf(each) ?? []);
        if (own.length === 0) this.#write(target, property.name, this.#checker.getTypeOfSymbol(property), side);
        else if (
          this.#checker.getPropertyOfType(target, property.name) &&
          this.#fieldsOf(target, property.name).length === 0
        )
          for (const field of own) this.fields.get(field)?.to.add(side);
      }
    }
  }

  #passed(node: ts.Expression, side: Side): void {
    if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return;
    const { parent } = node;
    const isValue =
      (ts.isCallExpression(parent) && parent.arguments.includes(node)) ||
      ts.isReturnStatement(parent) ||
      (ts.isArrowFunction(parent) && parent.body === node) ||
      (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isConditionalExpression(parent);
    if (!isValue) return;
    const given = this.#checker.getTypeAtLocation(node);
    if (!(given.flags & ts.TypeFlags.Object) || !given.getProperties().some(isDeclaredInProtocol)) return;
    const target = this.#checker.getContextualType(node);
    if (target && target.flags & (ts.TypeFlags.Object | ts.TypeFlags.Union | ts.TypeFlags.Intersection))
      this.#spread(node, target, side);
  }
}
