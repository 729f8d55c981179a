import { joinName, NAMESPACE, splitName } from '../../ops.ts';
import {
  ALWAYS,
  ANIMATION_VALUES,
  COMMON_ATTRIBUTES,
  CUSTOM_ATTRIBUTES,
  HTML_ATTRIBUTES,
  HTML_ELEMENT_ATTRIBUTES,
  KNOWN_NAMESPACES,
  MATHML_ATTRIBUTES,
  MATHML_ELEMENTS,
  OBJECT_ATTRIBUTES,
  RENAMED_HTML,
  RENAMED_PREFIX,
  SECRET_ALWAYS,
  SECRET_ATTRIBUTES,
  SECRET_TYPE,
  SILENT_ELEMENTS,
  SVG_ATTRIBUTES,
  SVG_ELEMENT_ATTRIBUTES,
  SVG_ELEMENTS,
  TEXT_LIKE_TYPES,
} from './policy.ts';
import type { Rule } from './policy.ts';

/** A class of elements with the same rules. Its index fits in a byte: the node table keeps it for every node. */
export interface ElementClass {
  readonly index: number;
  readonly name: string;
  readonly rules: ReadonlyMap<string, Rule>;
  /** Rule of attributes that have none. */
  readonly otherwise: Rule;
  /** Attributes that are added where an element has none of the name. */
  readonly always: ReadonlyMap<string, string>;
  /** If given, all other attributes are dropped. */
  readonly only?: ReadonlySet<string>;
  /** Whether its own text is not sent. */
  readonly silent: boolean;
  /** Whether original values of changed or dropped attributes are kept as text. */
  readonly originals: boolean;
}

/** Values in the node table for nodes that are not elements; classes of elements follow. */
export const NODE = { unknown: 0, text: 1, silentText: 2, document: 3, shadow: 4 } as const;

const FIRST_CLASS = 8;
const MAX_NAME_UNITS = 100;
const MAX_NAMESPACE_UNITS = 1000;
const NAME = /^(?:[a-z_][\w.-]*:)?[a-z_][\w.\-\u00b7\u00c0-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/iu;
const ATTRIBUTE_NAME = /^[a-z_][\w.:\-\u00b7\u00c0-\ud7ff]*$/iu;

const classes: ElementClass[] = [];

function define(
  name: string,
  rules: Readonly<Record<string, Rule>>,
  options: Partial<ElementClass> = {},
  always: Readonly<Record<string, string>> = {},
): ElementClass {
  const made = {
    otherwise: 'keep' as const,
    silent: false,
    originals: true,
    ...options,
    index: FIRST_CLASS + classes.length,
    name,
    rules: new Map(Object.entries(rules)),
    always: new Map(Object.entries(always)),
  };
  classes.push(made);
  return made;
}

const html = define('html', HTML_ATTRIBUTES);
const custom = define('custom', CUSTOM_ATTRIBUTES);
const svg = define('svg', SVG_ATTRIBUTES, { otherwise: 'css', originals: false });
const mathml = define('mathml', MATHML_ATTRIBUTES, { originals: false });
const other = define('other', COMMON_ATTRIBUTES, { originals: false });
const htmlByName = new Map<string, ElementClass>();
const svgByName = new Map<string, ElementClass>();

for (const name of new Set([...Object.keys(HTML_ELEMENT_ATTRIBUTES), ...Object.keys(ALWAYS), ...SILENT_ELEMENTS])) {
  const rules = { ...HTML_ATTRIBUTES, ...HTML_ELEMENT_ATTRIBUTES[name] };
  htmlByName.set(name, define(name, rules, { silent: SILENT_ELEMENTS.has(name) }, ALWAYS[name]));
}
htmlByName.set(
  'object',
  define('object', { ...HTML_ATTRIBUTES, id: 'name', name: 'name' }, { only: OBJECT_ATTRIBUTES, originals: false }),
);
for (const [name, rules] of Object.entries({ ...SVG_ELEMENT_ATTRIBUTES, script: {} })) {
  const options = { otherwise: 'css', silent: SILENT_ELEMENTS.has(name), originals: false } as const;
  svgByName.set(name, define(`svg:${name}`, { ...SVG_ATTRIBUTES, ...rules }, options));
}
/** Inputs; one whose type has become `text` (M-061); and a password field. */
export const INPUT = elementOf(NAMESPACE.html, 'input').class;
const INPUT_ATTRIBUTES = { ...HTML_ATTRIBUTES, ...HTML_ELEMENT_ATTRIBUTES['input'] };
const MASKED_INPUT = define('masked-input', INPUT_ATTRIBUTES, {}, ALWAYS['input']);
export const SECRET_INPUT = define(
  'secret-input',
  { ...INPUT_ATTRIBUTES, ...SECRET_ATTRIBUTES },
  {},
  { ...ALWAYS['input'], ...SECRET_ALWAYS },
);

/** Returns the class of an input of a type, in lower case. */
export function inputOf(type: string): ElementClass {
  if (type === SECRET_TYPE) return SECRET_INPUT;
  return TEXT_LIKE_TYPES.has(type) ? MASKED_INPUT : INPUT;
}

/** Images; lazy-loaded ones show their picture once the surrogate has loaded it. */
export const IMAGE = elementOf(NAMESPACE.html, 'img').class;
export const LAZY_IMAGE = define('lazy-image', { ...HTML_ATTRIBUTES, ...HTML_ELEMENT_ATTRIBUTES['img'], src: 'later' });

/** Elements that animate an attribute; then the classes of one that names an allowed attribute, and of one that does not. */
const ANIMATIONS: ReadonlySet<ElementClass | undefined> = new Set(
  ['animate', 'animatecolor', 'animatetransform', 'set'].map((name) => svgByName.get(name)),
);
export const ANIMATION = elementOf(NAMESPACE.svg, 'animate').class;
export const STILL_ANIMATION = define(
  'still-animation',
  {
    ...SVG_ATTRIBUTES,
    ...SVG_ELEMENT_ATTRIBUTES['animate'],
    ...Object.fromEntries(ANIMATION_VALUES.map((name): [string, Rule] => [name, 'drop'])),
  },
  { otherwise: 'css', originals: false },
);
/** Name of the attribute that holds the name of the animated attribute. */
export const ANIMATED_NAME = 'attributeName';

/** Whether elements of a class animate an attribute, if they name one. */
export function isAnimation(of: ElementClass): boolean {
  return of === STILL_ANIMATION || ANIMATIONS.has(of);
}

/** Canvases, whose pictures the policy may withhold. */
export const CANVAS = define('canvas', { ...HTML_ATTRIBUTES, ...HTML_ELEMENT_ATTRIBUTES['canvas'] });
htmlByName.set('canvas', CANVAS);

/** Returns the class with an index of the node table; undefined when the node is not an element. */
export function classAt(index: number): ElementClass | undefined {
  return classes[index - FIRST_CLASS];
}

/** Returns the name under which an element is created, and its class. The name is harmless and valid, whatever the input. */
export function elementOf(
  namespace: number,
  qualified: string,
): { readonly name: string; readonly class: ElementClass } {
  const [plain, uri] = namespace === NAMESPACE.other ? splitName(qualified) : [qualified, ''];
  if (uri !== '') {
    const inner = elementOf(namespace, plain);
    const isOwn = uri.length <= MAX_NAMESPACE_UNITS && !KNOWN_NAMESPACES.test(uri) && !/[\s\0]/.test(uri);
    return isOwn ? { ...inner, name: joinName(inner.name, uri) } : inner;
  }
  const sound = plain.length <= MAX_NAME_UNITS && NAME.test(plain);
  const name = sound ? plain : `${RENAMED_PREFIX}unknown`;
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  switch (namespace) {
    case NAMESPACE.html: {
      const byName = htmlByName.get(local);
      if (RENAMED_HTML.has(local)) return { name: RENAMED_PREFIX + local, class: byName ?? html };
      return { name, class: byName ?? (local.includes('-') ? custom : html) };
    }
    case NAMESPACE.svg: {
      const byName = svgByName.get(local) ?? svg;
      return { name: SVG_ELEMENTS.has(local) || isRenamed(name) ? name : RENAMED_PREFIX + local, class: byName };
    }
    case NAMESPACE.mathml:
      return { name: MATHML_ELEMENTS.has(local) || isRenamed(name) ? name : RENAMED_PREFIX + local, class: mathml };
    default:
      // Inert here, but style sheets use the new names of renamed elements.
      return { name: RENAMED_HTML.has(local) ? RENAMED_PREFIX + local : name, class: other };
  }
}

/** Returns the rule of an attribute in a class of elements. */
export function ruleOf(of: ElementClass, name: string): Rule {
  if (name.length > MAX_NAME_UNITS * 2 || !ATTRIBUTE_NAME.test(name)) return 'drop';
  const lower = name.toLowerCase();
  if (of.only && !of.only.has(lower)) return 'drop';
  const colon = lower.lastIndexOf(':');
  const local = lower.slice(colon + 1);
  if (lower.startsWith('on') || local.startsWith('on')) return 'drop';
  const rule = of.rules.get(lower);
  if (rule || colon < 0) return rule ?? of.otherwise;
  if (lower.startsWith('xlink:') || lower.startsWith('xmlns:')) return 'drop';
  const bare = of.rules.get(local);
  return bare === undefined || bare === 'keep' ? of.otherwise : 'drop';
}

function isRenamed(name: string): boolean {
  return name.startsWith(RENAMED_PREFIX);
}
