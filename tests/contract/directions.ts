/** Finds between which sides each constant and each message of the protocol goes. */
import ts from 'typescript';
import type { Direction } from '../../core/protocol/message.ts';
import { fileOf, PROTOCOL, reversed, symbolOf, topOf } from './sides.ts';

const BOTH: readonly Direction[] = ['client-to-host', 'host-to-client'];

/** Parts that go without a message, and their directions: the bodies of requests and their answers, and what the channel itself says. */
const CARRIED: Readonly<Record<string, readonly Direction[]>> = {
  'core/protocol/pairing.ts pairRequest': ['client-to-host'],
  'core/protocol/pairing.ts repairRequest': ['client-to-host'],
  'core/protocol/pairing.ts unpairRequest': ['client-to-host'],
  'core/protocol/pairing.ts pairAnswer': ['host-to-client'],
  'core/protocol/auth.ts checkAnswer': ['host-to-client'],
  'core/protocol/auth.ts tokenAnswer': ['host-to-client'],
  'core/protocol/frames.ts KIND': ['host-to-client'],
  'core/protocol/wire.ts Control.ack': BOTH,
  'core/protocol/wire.ts Control.skip': ['host-to-client'],
  'core/protocol/wire.ts Control.bye': BOTH,
  'core/protocol/wire.ts Control.ping_time': ['client-to-host'],
  'core/protocol/wire.ts Control.pong': ['host-to-client'],
  'core/protocol/wire.ts Control.rttping': ['host-to-client'],
  'core/protocol/wire.ts Control.rttpong': ['client-to-host'],
  'core/protocol/wire.ts Control.anim_ping': ['host-to-client'],
  'core/protocol/wire.ts Control.anim_pong': ['client-to-host'],
  'core/protocol/wire.ts Control.req-ack': BOTH,
  'core/protocol/wire.ts Control.srm': ['client-to-host'],
};

/** Directions by places, each `file constant`, or for a message `file constant.params` and `file constant.result`. */
export class Directions {
  readonly #checker: ts.TypeChecker;
  readonly #found = new Map<string, Set<Direction>>();

  constructor(checker: ts.TypeChecker, sources: ReadonlyMap<string, ts.SourceFile>) {
    this.#checker = checker;
    for (const [place, ways] of Object.entries(CARRIED)) for (const way of ways) this.#add(place, way);
    for (const [name, file] of sources) {
      if (!PROTOCOL.test(name)) continue;
      const visit = (node: ts.Node): void => {
        if (ts.isVariableDeclaration(node)) this.#declaration(node);
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  }

  /** The directions of a place of a field: `file constant.field`. */
  of(place: string): ReadonlySet<Direction> {
    const [name, part] = nameAndPart(place);
    return this.#found.get(`${name}.${part}`) ?? this.#found.get(name) ?? new Set();
  }

  #declaration(node: ts.VariableDeclaration): void {
    const place = `${fileOf(node)} ${node.name.getText()}`;
    for (const direction of CARRIED[place] ?? []) this.#within(node, direction);
    const { initializer } = node;
    if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== 'message') return;
    const options = initializer.arguments[1];
    if (!options || !ts.isObjectLiteralExpression(options)) return;
    const of = (name: string): ts.Node | undefined => options.properties.find((each) => each.name?.getText() === name);
    const direction = /'(.*)'/.exec(of('direction')?.getText() ?? '')?.[1] as Direction | undefined; // checked by its type
    if (!direction) return;
    this.#add(place, direction);
    for (const [part, way] of [
      ['params', direction],
      ['result', reversed(direction)],
    ] as const) {
      const schema = of(part);
      if (!schema) continue;
      this.#add(`${place}.${part}`, way);
      this.#within(schema, way);
    }
  }

  #add(place: string, direction: Direction): boolean {
    const all = this.#found.get(place) ?? new Set();
    this.#found.set(place, all);
    const isNew = !all.has(direction);
    all.add(direction);
    return isNew;
  }

  /** A constant or a function that makes a schema goes that way, and so does all that it is made of. */
  #reach(declaration: ts.Node, direction: Direction): void {
    const { name } = declaration as ts.NamedDeclaration; // only such are referred to
    if (!name || !this.#add(`${fileOf(declaration)} ${name.getText()}`, direction)) return;
    this.#within(declaration, direction);
  }

  #within(node: ts.Node, direction: Direction): void {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node)) {
      const [declaration] = symbolOf(this.#checker, node)?.declarations ?? [];
      const top = declaration && topOf(declaration);
      if (top && top === declaration && PROTOCOL.test(fileOf(top))) this.#reach(top, direction);
    }
    ts.forEachChild(node, (child) => this.#within(child, direction));
  }
}

/** `file constant` of a place, and the first part of its field. */
function nameAndPart(place: string): readonly [string, string] {
  const [, name = '', part = ''] = /^(\S+ [^.]+)\.?([^.]*)/.exec(place) ?? [];
  return [name, part];
}
