/** Finds which sides make each kind that a field of the protocol may have, and which go by it. */
import ts from 'typescript';
import { fileOf, symbolOf } from './sides.ts';
import type { Side } from './sides.ts';

/** A kind of a field: the sides whose code makes the value, and those whose code goes by it. */
interface Kind {
  readonly by: Set<Side>;
  readonly to: Set<Side>;
}

/** A field that has kinds. */
interface Kinded {
  /** Names all fields with the same kinds. */
  readonly key: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Sides that fill it with a value that may be any of its kinds: made there, or got from another side. */
  readonly carried: Set<Side>;
  /** Sides with a list of cases for it that has nothing for the rest. */
  readonly listed: Set<Side>;
}

const COMPARISONS = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]);

/** From one side to another. */
type Way = readonly [from: Side, to: Side];

const SIDES: readonly Side[] = ['client', 'host', 'page'];

type FieldsOf = (type: ts.Type, name: string) => readonly string[];

/**
 * A kind is a string of a picklist, or a literal that tells objects of a union apart. Code that goes by a kind
 *
 * - compares the field, or a value of the same type, with it, or has a case or a list for it;
 * - looks it up in a table that has an entry for it, or makes a text of it that is a text or a key of that side;
 * - gives it to the browser, to Node or to a library, whose types know the value;
 * - goes by all the others, so that the rest is this one, and has no list of cases without a rest;
 * - sends it on in another field, whose receiver goes by it.
 */
export class KindUses {
  /** By `file schema.field`. */
  readonly fields = new Map<string, Kinded>();
  readonly #checker: ts.TypeChecker;
  readonly #fieldsOf: FieldsOf;
  /** Texts and keys of each side, and texts that are made of kinds there. */
  readonly #words = new Map<Side, Set<string>>();
  readonly #texts: {
    readonly field: string;
    readonly kind: string;
    readonly text: string;
    readonly sides: ReadonlySet<Side>;
  }[] = [];

  constructor(checker: ts.TypeChecker, fieldsOf: FieldsOf) {
    this.#checker = checker;
    this.#fieldsOf = fieldsOf;
  }

  /** Notes the kinds of a field by its schema. */
  declare(place: string, node: ts.Node): void {
    const values = new Set(this.fields.get(place)?.kinds.keys());
    this.#values(node, values);
    if (values.size > 0) this.fields.set(place, kinded(values));
  }

  #values(node: ts.Node, values: Set<string>): void {
    if (ts.isShorthandPropertyAssignment(node) || ts.isIdentifier(node)) {
      const [declaration] = symbolOf(this.#checker, ts.isIdentifier(node) ? node : node.name)?.declarations ?? [];
      if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer)
        this.#values(declaration.initializer, values);
      return;
    }
    if (ts.isCallExpression(node)) {
      const [name, [first]] = [node.expression.getText(), node.arguments];
      if (/^v\.(?:\w*[oO]bject|variant)$/.test(name)) return; // fields of their own
      if (name === 'v.picklist' && first) {
        const item = this.#checker.getIndexTypeOfType(this.#checker.getTypeAtLocation(first), ts.IndexKind.Number);
        for (const each of stringsOf(item) ?? []) values.add(each);
        return;
      }
      if (name === 'v.literal' && first && ts.isStringLiteralLike(first)) values.add(first.text);
    }
    if (!ts.isTypeNode(node)) ts.forEachChild(node, (child) => this.#values(child, values));
  }

  /** A value of this type is written into a field. */
  written(field: string, value: ts.Type, sides: ReadonlySet<Side>): void {
    const found = this.fields.get(field);
    if (!found) return;
    const item = this.#checker.isArrayLikeType(value) && this.#checker.getIndexTypeOfType(value, ts.IndexKind.Number);
    const all = stringsOf(this.#checker.getNonNullableType(item || value)) ?? [];
    const isNarrowed = (value.flags & ts.TypeFlags.String) !== 0; // to kinds of the field, or it could not be written
    if (isNarrowed || (all.length > 1 && keyOf(all) === found.key)) addAll(found.carried, sides);
    else for (const each of all) addAll(found.kinds.get(each)?.by, sides);
  }

  /** Looks at a node for what it makes, and what it goes by. */
  look(node: ts.Node, sides: ReadonlySet<Side>): void {
    if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) {
      for (const [one, other] of [
        [node.left, node.right],
        [node.right, node.left],
      ] as const)
        if (ts.isStringLiteralLike(one)) this.#knows(other, [one.text], sides);
    } else if (ts.isSwitchStatement(node)) {
      const { clauses } = node.caseBlock;
      const cases = clauses.flatMap((each) => (ts.isCaseClause(each) ? [each.expression] : []));
      const values = cases.flatMap((each) => (ts.isStringLiteralLike(each) ? [each.text] : []));
      this.#knows(node.expression, values, sides);
      if (clauses.length === cases.length)
        for (const field of this.#placesOf(node.expression)) addAll(this.fields.get(field)?.listed, sides);
    } else if (ts.isElementAccessExpression(node))
      this.#knows(node.argumentExpression, this.#keysOf(node.expression), sides);
    else if (ts.isTemplateExpression(node)) this.#template(node, sides);
    else if (ts.isCallExpression(node)) this.#call(node, sides);
    else if (ts.isExpression(node)) this.#given(node, sides);
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node))
      for (const side of sides) {
        const words = this.#words.get(side) ?? new Set();
        this.#words.set(side, words.add(node.text).add(node.text.slice(node.text.lastIndexOf('.') + 1)));
      }
  }

  /**
   * The kinds of a field that the side from which it comes does not fill in, or that to which it goes does not go by, as `kind` and reason.
   *
   * @param on sides that pass on the whole in which the field is
   */
  missing(place: string, waysOf: (place: string) => readonly Way[], on: ReadonlySet<Side>): [string, string][] {
    const found = this.fields.get(place);
    if (!found || found.kinds.size < 2) return [];
    const ways = waysOf(place);
    const produced = new Map([...found.kinds].map(([kind, { by }]) => [kind, new Set([...by, ...found.carried])]));
    const understood = this.#understood(place, found, waysOf);
    for (let pass = 0; pass < ways.length; pass += 1)
      for (const [from, into] of ways)
        for (const kind of found.kinds.keys()) {
          if (on.has(into) && produced.get(kind)?.has(from)) produced.get(kind)?.add(into);
          if (on.has(from) && understood.get(kind)?.has(into)) understood.get(kind)?.add(from);
        }
    return [...found.kinds.keys()].flatMap((kind) =>
      ways.flatMap(([from, into]) => [
        ...(produced.get(kind)?.has(from) ? [] : [[kind, `${from} does not produce it`] as [string, string]]),
        ...(understood.get(kind)?.has(into) ? [] : [[kind, `${into} does not go by it`] as [string, string]]),
      ]),
    );
  }

  /** The sides that go by each kind of a field. */
  #understood(
    place: string,
    { kinds, key, listed }: Kinded,
    waysOf: (place: string) => readonly Way[],
  ): Map<string, Set<Side>> {
    for (const { field, kind, text, sides } of this.#texts)
      if (field === place)
        for (const side of sides) if (this.#words.get(side)?.has(text)) kinds.get(kind)?.to.add(side);
    const understood = new Map([...kinds].map(([kind, { to }]) => [kind, new Set(to)]));
    for (const [other, { key: otherKey, carried, kinds: otherKinds }] of this.fields)
      if (otherKey === key)
        for (const [from, into] of waysOf(other))
          for (const [kind, sides] of understood)
            if (carried.has(from) && otherKinds.get(kind)?.to.has(into)) sides.add(from);
    for (const side of SIDES) {
      const unknown = [...understood.values()].filter((sides) => !sides.has(side));
      if (unknown.length === 1 && !listed.has(side)) unknown[0]?.add(side);
    }
    return understood;
  }

  #knows(expression: ts.Expression, values: readonly string[], sides: ReadonlySet<Side>): void {
    if (values.length === 0) return;
    for (const field of this.#placesOf(expression))
      for (const each of values) addAll(this.fields.get(field)?.kinds.get(each)?.to, sides);
  }

  /** The fields that a value comes from, or those of the same kinds. */
  #placesOf(expression: ts.Expression, depth = 0): readonly string[] {
    let at = expression;
    while (ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isNonNullExpression(at)) at = at.expression;
    const typeOf = (node: ts.Node): ts.Type => this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(node));
    let found: readonly string[] = [];
    let type: ts.Type | undefined;
    if (ts.isPropertyAccessExpression(at)) {
      found = this.#fieldsOf(typeOf(at.expression), at.name.text);
      const symbol = this.#checker.getSymbolAtLocation(at.name);
      type = symbol && this.#checker.getTypeOfSymbol(symbol);
    } else if (ts.isIdentifier(at)) {
      const symbol = symbolOf(this.#checker, at);
      const declaration = symbol?.valueDeclaration;
      type = symbol && this.#checker.getTypeOfSymbol(symbol);
      if (declaration && ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent))
        found = this.#fieldsOf(typeOf(declaration.parent), (declaration.propertyName ?? declaration.name).getText());
      else if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer && depth < 3)
        found = this.#placesOf(declaration.initializer, depth + 1);
    }
    found = found.filter((each) => this.fields.has(each));
    if (found.length > 0) return found;
    const all = stringsOf(this.#checker.getNonNullableType(type ?? typeOf(at)));
    if (!all || all.length < 2) return [];
    const key = keyOf(all);
    const folder = folderOf(fileOf(at));
    return [...this.fields].flatMap(([place, each]) => {
      const isWithMore =
        folderOf(place) === folder && each.kinds.size > 1 && [...each.kinds.keys()].every((kind) => all.includes(kind));
      return each.key === key || isWithMore ? [place] : [];
    });
  }

  #keysOf(table: ts.Expression): string[] {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(table));
    return type.getProperties().map(({ name }) => name);
  }

  #template(node: ts.TemplateExpression, sides: ReadonlySet<Side>): void {
    for (const [index, span] of node.templateSpans.entries()) {
      const before = index === 0 ? node.head.text : (node.templateSpans[index - 1]?.literal.text ?? '');
      const isWhole = node.templateSpans.length === 1;
      for (const field of this.#placesOf(span.expression))
        for (const kind of this.fields.get(field)?.kinds.keys() ?? [])
          this.#texts.push({ field, kind, text: isWhole ? before + kind + span.literal.text : kind, sides });
    }
  }

  #call(node: ts.CallExpression, sides: ReadonlySet<Side>): void {
    const { expression, arguments: given } = node;
    const [first] = given;
    if (first && ts.isPropertyAccessExpression(expression) && /^(?:includes|has)$/.test(expression.name.text)) {
      const list = this.#checker.getTypeAtLocation(expression.expression);
      const literal = ts.isArrayLiteralExpression(expression.expression)
        ? expression.expression.elements.flatMap((each) => (ts.isStringLiteralLike(each) ? [each.text] : []))
        : stringsOf(this.#checker.getIndexTypeOfType(list, ts.IndexKind.Number));
      this.#knows(first, literal ?? [], sides);
    }
  }

  /** A value that is given to code outside of the product, whose type names each kind. */
  #given(node: ts.Expression, sides: ReadonlySet<Side>): void {
    if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return;
    const { parent } = node;
    const isValue =
      (ts.isCallExpression(parent) && parent.arguments.includes(node)) ||
      (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
      ts.isShorthandPropertyAssignment(parent) ||
      (ts.isBinaryExpression(parent) &&
        parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        parent.right === node);
    if (!isValue) return;
    const fields = this.#placesOf(node);
    if (fields.length === 0) return;
    const target = isRecorded(parent) ? undefined : (this.#outside(node) ?? []);
    for (const field of fields)
      for (const [kind, { to }] of this.fields.get(field)?.kinds ?? [])
        if (target?.includes(kind) ?? true) addAll(to, sides);
  }

  /** The kinds that a receiver outside of the product knows, where the node is given to one. */
  #outside(node: ts.Expression): readonly string[] | undefined {
    const { parent } = node;
    let declaration: ts.Node | undefined;
    if (ts.isCallExpression(parent)) {
      const parameters = this.#checker.getResolvedSignature(parent)?.parameters ?? [];
      declaration = parameters[parent.arguments.indexOf(node)]?.valueDeclaration;
    } else if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left))
      declaration = this.#checker.getSymbolAtLocation(parent.left.name)?.valueDeclaration;
    else if (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent))
      declaration = this.#checker
        .getContextualType(parent.parent)
        ?.getProperty(parent.name.getText())?.valueDeclaration;
    if (!declaration?.getSourceFile().fileName.includes('/node_modules/')) return undefined;
    return stringsOf(
      this.#checker.getNonNullableType(this.#checker.getContextualType(node) ?? this.#checker.getTypeAtLocation(node)),
    );
  }
}

/** The plugin of a file. */
function folderOf(file: string): string {
  return /^plugins\/[\w-]+/.exec(file)?.[0] ?? '';
}

function addAll(into: Set<Side> | undefined, sides: Iterable<Side>): void {
  for (const side of sides) into?.add(side);
}

/** Whether a property is one of an object that is given to a log, a report or a record. */
function isRecorded(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false;
  const call = node.parent.parent;
  return ts.isCallExpression(call) && /\b(?:log\.\w+|report|append)$/.test(call.expression.getText());
}

function kinded(values: ReadonlySet<string>): Kinded {
  return {
    key: keyOf([...values]),
    kinds: new Map([...values].map((each) => [each, { by: new Set(), to: new Set() }])),
    carried: new Set(),
    listed: new Set(),
  };
}

function keyOf(values: readonly string[]): string {
  return [...values].sort().join('|');
}

/** The strings that a type is; undefined for one that is of anything else. */
function stringsOf(type: ts.Type | undefined): readonly string[] | undefined {
  if (!type) return undefined;
  const all = (type.isUnion() ? type.types : [type]).filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  return all.length > 0 && all.every((each) => each.isStringLiteral()) ? all.map(({ value }) => value) : undefined;
}
