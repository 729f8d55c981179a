/** Finds which code of the product writes and which reads each field of the protocol, and which sends and handles each message. */
import ts from 'typescript';
import { Directions } from './directions.ts';
import { KindUses } from './kind-uses.ts';
import { productProgram } from './product-program.ts';
import { CodeSides, endsOf, fileOf, PROTOCOL, symbolOf } from './sides.ts';
import type { Side } from './sides.ts';

/** A field of the protocol, or a message: the sides that produce it, those that understand it, and those that pass it on within its whole. */
class Sides {
  readonly by = new Set<Side>();
  readonly to = new Set<Side>();
  readonly on = new Set<Side>();
}

/** The sides that do something with a value, and whether they send it there. */
interface Use {
  readonly sides: ReadonlySet<Side>;
  readonly isSent: boolean;
}

function addAll(into: Set<Side>, sides: Iterable<Side>): void {
  for (const side of sides) into.add(side);
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

/** Levels of values within values that are looked at. */
const MOST_DEPTH = 5;

const places = new Map<ts.Node, string | undefined>();

/** A property of a `v.object(...)`, an interface or a table of the protocol, by its constant: `pairAnswer.safe_rid`. */
function placeOf(declaration: ts.Node): string | undefined {
  if (!places.has(declaration)) places.set(declaration, findPlace(declaration));
  return places.get(declaration);
}

function findPlace(declaration: ts.Node): string | undefined {
  const file = fileOf(declaration);
  if (!PROTOCOL.test(file)) return undefined;
  if (!isProperty(declaration)) return undefined;
  const names: string[] = [];
  for (let at: ts.Node = declaration; !ts.isSourceFile(at); at = at.parent)
    if (isNamed(at)) names.unshift(nameOf(at.name));
    else if (ts.isFunctionDeclaration(at)) names.unshift(at.name?.text ?? '');
  return `${file} ${names.join('.')}`;
}

function isProperty(node: ts.Node) {
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isPropertySignature(node);
}

function isNamed(node: ts.Node) {
  return isProperty(node) || ts.isVariableDeclaration(node) || ts.isInterfaceDeclaration(node);
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

function isCompared({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** Whether a value is assigned to what an object names. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

function isDeclaredInProtocol({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => placeOf(each) !== undefined);
}

/** Reads the sources of the product once. Takes seconds. */
export class ProtocolUses {
  /** By `file schema.field`. */
  readonly fields = new Map<string, Sides>();
  /** By `file constant`. */
  readonly messages = new Map<string, Sides>();
  readonly #directions: Directions;
  readonly kinds: KindUses;
  readonly #checker: ts.TypeChecker;
  /** Names of fields. */
  readonly #names = new Set<string>();

  constructor() {
    const { checker, sources } = productProgram();
    this.#checker = checker;
    this.#directions = new Directions(checker, sources);
    this.kinds = new KindUses(checker, (type, name) => this.#fieldsOf(type, name));
    const code = new CodeSides(checker, sources);
    for (const [name, file] of sources) if (PROTOCOL.test(name)) this.#declare(file);
    for (const [name, file] of sources) {
      if (name.startsWith('plugins/compositor/')) continue; // the second renderer has no halves yet
      const visit = (node: ts.Node, sides: ReadonlySet<Side>): void => {
        const own = ts.isSourceFile(node.parent) || ts.isVariableDeclaration(node) ? code.of(node) : sides;
        this.#look(node, own);
        this.kinds.look(node, own);
        ts.forEachChild(node, (child) => visit(child, own));
      };
      for (const statement of file.statements) visit(statement, code.of(statement));
    }
  }

  /**
   * The directions of a place in which it does not go: the side from which it comes does not produce it, or that to which it goes does not
   * understand it. Whoever passes on the whole in which it is produces it where another side has, and understands it where another side does.
   */
  missing(place: string): string[] {
    const { by, to, on } = this.fields.get(place) ?? this.messages.get(place) ?? new Sides();
    const [produced, understood] = [new Set(by), new Set(to)];
    const ways = this.#waysOf(place);
    for (let pass = 0; pass < ways.length; pass += 1)
      for (const [from, into] of ways) {
        if (on.has(into) && produced.has(from)) produced.add(into);
        if (on.has(from) && understood.has(into)) understood.add(from);
      }
    if (ways.length === 0) return ['nothing carries it'];
    return ways.flatMap(([from, into]) => [
      ...(produced.has(from) ? [] : [`${from} does not produce it`]),
      ...(understood.has(into) ? [] : [`${into} does not understand it`]),
    ]);
  }

  /** The same of the kinds of fields: by `field=kind`. */
  missingKinds(): Map<string, string[]> {
    const all = new Map<string, string[]>();
    for (const field of this.kinds.fields.keys()) {
      const { on = new Set<Side>() } = this.fields.get(field) ?? {};
      for (const [kind, reason] of this.kinds.missing(field, (each) => this.#waysOf(each), on))
        all.set(`${field}=${kind}`, [...(all.get(`${field}=${kind}`) ?? []), reason]);
    }
    return all;
  }

  #waysOf(place: string): (readonly [Side, Side])[] {
    return [...this.#directions.of(place)].map(endsOf);
  }

  #isSchemas(node: ts.Node): boolean {
    if (!ts.isObjectLiteralExpression(node) || !PROTOCOL.test(fileOf(node))) return false;
    if (node.properties.some(({ name }) => name?.getText() === 'params')) return false;
    return node.properties.some(
      (each) =>
        (ts.isPropertyAssignment(each) || ts.isShorthandPropertyAssignment(each)) &&
        this.#checker.getTypeAtLocation(each.name).getProperty('~standard'),
    );
  }

  #declare(file: ts.SourceFile): void {
    const visit = (node: ts.Node): void => {
      if (isProperty(node) && (this.#isSchemas(node.parent) || isOfChannel(node))) {
        const place = placeOf(node) ?? '';
        if (!this.fields.has(place)) this.fields.set(place, new Sides());
        this.#names.add(nameOf(node.name));
        if (!ts.isPropertySignature(node)) this.kinds.declare(place, node);
      }
      if (ts.isVariableDeclaration(node) && node.initializer && /^message\(/.test(node.initializer.getText()))
        this.messages.set(`${fileOf(file)} ${node.name.getText()}`, new Sides());
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  #look(node: ts.Node, sides: ReadonlySet<Side>): void {
    if (ts.isIdentifier(node)) this.#message(node, sides);
    if (ts.isPropertyAccessExpression(node) && this.#names.has(node.name.text))
      this.#read(node.expression, node.name.text, node, sides);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      this.#read(node.expression, node.argumentExpression.text, node, sides);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name).getText();
      if (this.#names.has(name) && !node.name.getText().startsWith('_')) this.#read(node.parent, name, node, sides);
    }
    if (ts.isObjectLiteralExpression(node) && isTarget(node)) this.#taken(node, sides);
    else if (ts.isObjectLiteralExpression(node)) this.#literal(node, sides);
    else if (ts.isExpression(node)) this.#passed(node, sides);
  }

  #message(node: ts.Identifier, sides: ReadonlySet<Side>): void {
    const call = callWith(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node);
    if (!call) return;
    const symbol = symbolOf(this.#checker, node);
    const [declaration] = symbol?.declarations ?? [];
    if (!declaration || !ts.isVariableDeclaration(declaration)) return;
    const uses = this.messages.get(`${fileOf(declaration)} ${declaration.name.getText()}`);
    if (!uses) return;
    const isHandled = /^(?:handle|onCall)$/.test(calledName(call));
    addAll(isHandled ? uses.to : uses.by, sides);
    const [params, result] = this.#checker.getTypeArguments(
      this.#checker.getTypeOfSymbol(symbol as ts.Symbol) as ts.TypeReference,
    );
    const at = call.arguments.findIndex((argument) => argument.pos <= node.pos && node.end <= argument.end);
    const given = call.arguments[at + 1];
    if (isHandled && result && given) this.#answered(given, result, sides);
    else if (params && given) this.#given(given, params, sides);
  }

  /** The answers of a handler. */
  #answered(handler: ts.Expression, result: ts.Type, sides: ReadonlySet<Side>): void {
    for (const signature of this.#checker.getTypeAtLocation(handler).getCallSignatures()) {
      const answer = this.#checker.getAwaitedType(this.#checker.getReturnTypeOfSignature(signature));
      if (answer) this.#spreadType(answer, result, { sides, isSent: true });
    }
  }

  /** Fields that an assignment takes out of a value. */
  #taken(node: ts.ObjectLiteralExpression, sides: ReadonlySet<Side>): void {
    const type = this.#checker.getTypeAtLocation((node.parent as ts.BinaryExpression).right); // see isTarget
    for (const { name } of node.properties)
      for (const field of name ? this.#fieldsOf(type, nameOf(name)) : []) this.#add(field, 'to', sides);
  }

  #fieldsOf(type: ts.Type, name: string): string[] {
    const each = type.isUnion() ? type.types : [type];
    return each
      .flatMap((one) => this.#checker.getPropertyOfType(one, name)?.declarations ?? [])
      .flatMap((declaration) => placeOf(declaration) ?? []);
  }

  #read(of: ts.Node, name: string, node: ts.Node, sides: ReadonlySet<Side>): void {
    const { parent } = node;
    if (
      ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    )
      return;
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(of));
    const isProduced = of.getText() === 'KIND' && !isCompared(node);
    for (const field of this.#fieldsOf(type, name)) this.#add(field, isProduced ? 'by' : 'to', sides);
  }

  #write(target: ts.Type, name: string, value: ts.Type, { sides, isSent }: Use): void {
    for (const field of this.#fieldsOf(target, name)) {
      this.#add(field, 'by', sides);
      this.kinds.written(field, value, sides);
    }
    if (isSent) this.#passOn(value, sides);
  }

  #add(field: string, what: keyof Sides, sides: ReadonlySet<Side>): void {
    const found = this.fields.get(field);
    if (found) addAll(found[what], sides);
  }

  /** All fields of the protocol in a value, and within them, go on with it. */
  #passOn(value: ts.Type, sides: ReadonlySet<Side>, depth = 0): void {
    if (depth > MOST_DEPTH) return;
    for (const one of value.isUnionOrIntersection() ? value.types : [value]) {
      if (!(one.flags & ts.TypeFlags.Object)) continue;
      const item = this.#checker.getIndexTypeOfType(one, ts.IndexKind.Number);
      if (item) this.#passOn(item, sides, depth + 1);
      else
        for (const property of one.getProperties()) {
          const own = (property.declarations ?? []).flatMap((each) => placeOf(each) ?? []);
          for (const field of own) this.#add(field, 'on', sides);
          if (own.length > 0) this.#passOn(this.#checker.getTypeOfSymbol(property), sides, depth + 1);
        }
    }
  }

  /** A value that is sent: an object, or an expression of one. */
  #given(node: ts.Expression, target: ts.Type, sides: ReadonlySet<Side>): void {
    if (ts.isParenthesizedExpression(node)) this.#given(node.expression, target, sides);
    else if (ts.isConditionalExpression(node)) {
      this.#given(node.whenTrue, target, sides);
      this.#given(node.whenFalse, target, sides);
    } else if (ts.isObjectLiteralExpression(node)) this.#assign(node, target, { sides, isSent: true });
    else this.#spread(node, target, { sides, isSent: true });
  }

  #literal(node: ts.ObjectLiteralExpression, sides: ReadonlySet<Side>): void {
    if (this.#isSchemas(node)) return;
    const isOfInterest = node.properties.some(({ name }) => !name || this.#names.has(nameOf(name))); // or spread
    const target = isOfInterest ? this.#checker.getContextualType(node) : undefined;
    if (target) this.#assign(node, target, { sides, isSent: false });
  }

  #assign(node: ts.ObjectLiteralExpression, target: ts.Type, use: Use): void {
    for (const [at, property] of node.properties.entries())
      if (ts.isPropertyAssignment(property))
        this.#write(target, nameOf(property.name), this.#checker.getTypeAtLocation(property.initializer), use);
      else if (ts.isShorthandPropertyAssignment(property))
        this.#write(target, property.name.text, this.#valueOf(property), use);
      else if (ts.isSpreadAssignment(property)) {
        const replaced = node.properties.slice(at).flatMap(({ name }) => (name ? [nameOf(name)] : []));
        this.#spread(property.expression, target, use, replaced);
      }
  }

  #valueOf(property: ts.ShorthandPropertyAssignment): ts.Type {
    const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
    return symbol ? this.#checker.getTypeOfSymbol(symbol) : this.#checker.getTypeAtLocation(property.name);
  }

  /** A value that is passed as one of a protocol's type, or spread into one: it counts if it gets its fields elsewhere. */
  #spread(expression: ts.Expression, target: ts.Type, use: Use, replaced: readonly string[] = []): void {
    this.#spreadType(this.#checker.getTypeAtLocation(expression), target, use, replaced);
  }

  #spreadType(given: ts.Type, target: ts.Type, use: Use, replaced: readonly string[] = []): void {
    const { sides, isSent } = use;
    for (const one of given.isUnion() ? given.types : [given]) {
      if (!(one.flags & ts.TypeFlags.Object)) continue;
      for (const property of one.getProperties()) {
        if (replaced.includes(property.name)) continue;
        const own = (property.declarations ?? []).flatMap((each) => placeOf(each) ?? []);
        const into = this.#fieldsOf(target, property.name);
        const type = this.#checker.getTypeOfSymbol(property);
        if (own.length === 0) this.#write(target, property.name, type, use);
        else if (into.length > 0 || this.#checker.getPropertyOfType(target, property.name)) {
          const isSame = into.length > 0 && into.every((field) => own.includes(field));
          if (!isSame) {
            for (const field of own) this.#add(field, 'to', sides);
            this.#write(target, property.name, type, use);
          } else if (isSent) {
            for (const field of own) this.#add(field, 'on', sides);
            this.#passOn(type, sides);
          }
        }
      }
    }
  }

  #passed(node: ts.Expression, sides: ReadonlySet<Side>): void {
    const { parent } = node;
    if (ts.isCallExpression(node) && (ts.isReturnStatement(parent) || ts.isArrowFunction(parent))) {
      const target = this.#checker.getContextualType(node);
      const names = this.#checker.getTypeAtLocation(node).getProperties();
      if (target && names.some(({ name }) => this.#names.has(name)))
        this.#spread(node, target, { sides, isSent: false });
    }
    if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return;
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
      this.#spread(node, target, { sides, isSent: false });
  }
}
