/** Finds which settings of the policy the product reads: by the types of its sources, and by the names that clients get. */
import path from 'node:path';
import ts from 'typescript';
import {
  clientCapabilities,
  customizationOf,
  policyAnswers,
  siteCapabilities,
} from '../../host/policy/capabilities.ts';
import type { Settings } from '../../host/policy/settings.ts';
import type { SettingsTable } from '../../host/policy/settings-table.ts';
import { productProgram } from './product-program.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Functions that only copy settings into what a client gets: they read nothing. */
const COPIES = new Set(['siteCapabilities', 'customizationOf', 'policyAnswers', 'pairAnswer']);

/** Where settings are declared: the variables of the core's, and the fields of manifests. */
const DECLARED =
  /^(?:host\/policy\/settings\.ts (?:SITE_SETTINGS|PERSON_SETTINGS)|plugins\/[\w-]+\/manifest\.ts manifest\.settings)\./;
/** A section of the core's settings that stands in several places, under the name of its variable. */
const SHARED = /^host\/policy\/settings\.ts (?=\w+\.)/;

/** Reads of the product's sources. */
export interface SettingReads {
  /** Places that read a setting by its type, as `file:line`, by the setting's path in a policy: `limits.tabs`. */
  readonly typed: ReadonlyMap<string, readonly string[]>;
  /** Names that code of clients takes out of what the host sends: capabilities, messages, answers of the policy. */
  readonly received: ReadonlySet<string>;
  /** Names that code of clients takes out of anything. */
  readonly inClient: ReadonlySet<string>;
  /** Names that the sources of each plugin take out of anything, by its folder. */
  readonly inPlugin: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A read of a property: `x.name`, `x['name']`, `const { name } = x`. */
interface Read {
  readonly node: ts.Node;
  readonly name: string;
  /** The node whose type has the property. */
  readonly of: ts.Node;
}

function readAt(node: ts.Node): Read | undefined {
  if (ts.isPropertyAccessExpression(node)) return { node, name: node.name.text, of: node.expression };
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return { node, name: node.argumentExpression.text, of: node.expression };
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent) || isUnused(node)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? { node, name: name.text, of: node.parent } : undefined;
}

/** Whether a binding only takes a property out of the rest: `{ name: _name, ...rest }`. */
function isUnused({ name }: ts.BindingElement): boolean {
  return ts.isIdentifier(name) && name.text.startsWith('_');
}

/** Whether a read assigns the property instead. */
function isWritten({ node }: Read): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** Whether a node is in a function that only copies settings. */
function isInCopy(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent)
    if (ts.isFunctionDeclaration(at) && COPIES.has(at.name?.text ?? '')) return true;
  return false;
}

/** Returns those of these settings that a declaration is of. */
function declaredAt(declaration: ts.Declaration, settings: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (let at: ts.Node = declaration; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isPropertyAssignment(at) && !ts.isVariableDeclaration(at)) continue;
    if (ts.isIdentifier(at.name) || ts.isStringLiteral(at.name)) names.unshift(at.name.text);
  }
  const place = `${path.posix.relative(root, declaration.getSourceFile().fileName)} ${names.join('.')}`;
  const full = place.replace(DECLARED, '');
  if (full !== place) return settings.filter((each) => each === full);
  const shared = place.replace(SHARED, '');
  return shared === place ? [] : settings.filter((each) => each.endsWith(`.${shared}`));
}

/**
 * Finds reads of these settings (`limits.tabs`) in the sources of the product, and of further names under which they
 * are sent. Takes seconds.
 */
export function readSettingReads(settings: readonly string[], sent: readonly string[]): SettingReads {
  const names = new Set([...settings.map((each) => each.split('.').at(-1) ?? ''), ...sent]);
  const { checker, sources } = productProgram();
  const typed = new Map<string, string[]>();
  const received = new Set<string>();
  const inClient = new Set<string>();
  const inPlugin = new Map<string, Set<string>>();

  /** Whether values of this type are taken by name without a type of their own: capabilities as a client gets them. */
  const isUntyped = (type: ts.Type): boolean => {
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return index !== undefined && (index.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0;
  };
  const note = (read: Read, file: string): void => {
    const type = checker.getNonNullableType(checker.getTypeAtLocation(read.of));
    const property = checker.getPropertyOfType(type, read.name);
    const declarations = isInCopy(read.node) ? [] : (property?.declarations ?? []);
    const { line } = read.node.getSourceFile().getLineAndCharacterOfPosition(read.node.getStart());
    for (const setting of declarations.flatMap((each) => declaredAt(each, settings)))
      typed.set(setting, [...(typed.get(setting) ?? []), `${file}:${line + 1}`]);
    if (!isClient(file)) return;
    inClient.add(read.name);
    if (property ? isOfProtocol(property) : isUntyped(type)) received.add(read.name);
  };
  for (const [file, source] of sources) {
    const plugin = /^plugins\/([\w-]+)\/(?!manifest\.ts)/.exec(file)?.[1];
    const own = plugin === undefined ? undefined : (inPlugin.get(plugin) ?? new Set<string>());
    if (plugin !== undefined && own) inPlugin.set(plugin, own);
    const visit = (node: ts.Node): void => {
      const read = readAt(node);
      if (read && names.has(read.name) && !isWritten(read)) {
        own?.add(read.name);
        note(read, file);
      }
      if (isClient(file)) for (const key of queried(node)) received.add(key);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { typed, received, inClient, inPlugin };
}

/** Whether a file runs in the person's browser. */
function isClient(file: string): boolean {
  return /^core\/(?!contracts\/|protocol\/|kernel\/)|^plugins\/[\w-]+\/(?:client|shared)\/|^plugins\/[\w-]+\/[\w-]+\.ts$/.test(
    file,
  );
}

/** Whether a property is a field of a message, or of an answer at pairing. */
function isOfProtocol(property: ts.Symbol): boolean {
  return (property.declarations ?? []).some((declaration) =>
    path.posix.relative(root, declaration.getSourceFile().fileName).startsWith('core/protocol/'),
  );
}

/** Keys that a client asks the policy for: `policy.query(['enable_logo'])`. */
function queried(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  if (node.expression.name.text !== 'query') return [];
  return node.arguments
    .flatMap((argument) => (ts.isArrayLiteralExpression(argument) ? [...argument.elements] : []))
    .flatMap((element) => (ts.isStringLiteralLike(element) ? [element.text] : []));
}

/** Names under which a client gets a setting, from the outermost record: `['session_settings', 'input_context_menu']`. */
export function deliveredAt({ leaves, client }: SettingsTable): ReadonlyMap<string, readonly (readonly string[])[]> {
  const marks: Record<string, unknown> = {};
  for (const { path: at } of leaves) {
    let section = marks;
    for (const name of at.slice(0, -1)) section = (section[name] ??= {}) as Record<string, unknown>; // only sections stand on the way
    section[at.at(-1) ?? ''] = `setting ${at.join('.')}`;
  }
  const settings = { ...marks, capabilities: {} } as unknown as Settings; // marks in place of values: they are only copied
  const found = new Map<string, (readonly string[])[]>();
  const walk = (value: unknown, at: readonly string[]): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, [...at, name]);
    else if (typeof value === 'string' && value.startsWith('setting ')) {
      const setting = value.replace('setting ', '');
      found.set(setting, [...(found.get(setting) ?? []), at]);
    }
  };
  walk(clientCapabilities(settings, [], new Map()), []);
  walk(siteCapabilities(settings, client), []);
  walk(policyAnswers(settings, client), []);
  walk({ customization: customizationOf(settings), banner_hidden: settings.banner.banner_hidden }, []);
  return found;
}
