/** The policy for CSS, as data. Everything that is not named here passes unchanged; every address is rewritten wherever it occurs. */

/** Functions whose string arguments are addresses. */
export const ADDRESS_FUNCTIONS = new Set([
  'url',
  'src',
  'image',
  '-webkit-image',
  'image-set',
  '-webkit-image-set',
  'filter',
  '-webkit-filter',
  '-moz-image-rect',
]);

/**
 * Functions that may occur inside an address function. Any other (`var`, `attr`, `env`, `if`, a custom function) could insert a
 * string that was checked as plain text elsewhere.
 */
export const INSIDE_ADDRESS_FUNCTIONS =
  /^(?:v-blocked|url|src|image|type|element|crossorigin|integrity|referrerpolicy|cross-fade|paint|calc|min|max|clamp|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|image-set|(?:-\w+-)?(?:image-set|cross-fade|(?:repeating-)?(?:linear|radial|conic)-gradient))$/;

/** Properties that ran script in old browsers. */
export const BLOCKED_PROPERTIES = new Set(['-moz-binding', 'behavior', '-ms-behavior']);
/** Functions that ran script in old browsers. */
export const BLOCKED_FUNCTIONS = new Set(['expression']);
/** Replaces a blocked property, function or at-rule: valid nowhere, and of the same extent. */
export const BLOCKED_NAME = 'v-blocked';

/** Functions of selectors whose arguments are selectors. */
export const SELECTOR_FUNCTIONS = new Set([
  'is',
  'not',
  'where',
  'has',
  'host',
  'host-context',
  'slotted',
  'any',
  'matches',
  '-webkit-any',
  '-moz-any',
  'nth-child',
  'nth-last-child',
]);

/** Prefix of our families, which stand for the surrogate's generic ones. */
export const RESERVED_PREFIX = 'v-';
/** The family that a browser falls back to after those of any list. */
export const STANDARD_FAMILY = 'v-standard';
export const CONTROL_FAMILY = 'v-control';
export const MONOSPACE_FAMILY = 'v-monospace';
/** HTML elements whose default families differ from the standard one, with those families. */
export const OWN_FAMILIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['input', [CONTROL_FAMILY, MONOSPACE_FAMILY]],
  ['button', [CONTROL_FAMILY]],
  ['select', [CONTROL_FAMILY]],
  ...['textarea', 'pre', 'code', 'kbd', 'samp', 'tt', 'xmp', 'listing', 'plaintext'].map((name): [string, string[]] => [
    name,
    [MONOSPACE_FAMILY],
  ]),
]);
/** Generic families that every surrogate has. They stay after ours, for characters that ours lacks. */
export const CORE_GENERICS: ReadonlySet<string> = new Set(['serif', 'sans-serif', 'monospace', 'system-ui']);
/** Families that the browser chooses, on some systems. Ours replace those that a surrogate may lack. */
export const GENERICS: ReadonlySet<string> = new Set([
  ...CORE_GENERICS,
  'cursive',
  'fantasy',
  'emoji',
  'fangsong',
  'ui-serif',
  'ui-sans-serif',
  'ui-monospace',
  'ui-rounded',
  '-apple-system',
  'blinkmacsystemfont',
  '-webkit-body',
  '-webkit-standard',
]);
/** Those of them that have no other meaning: a custom property with one of them holds families. */
export const GENERIC_IN_VARIABLES: ReadonlySet<string> = new Set([
  'serif',
  'sans-serif',
  'monospace',
  'system-ui',
  'ui-serif',
  'ui-sans-serif',
  'ui-monospace',
  '-apple-system',
  'blinkmacsystemfont',
]);

/** Media features that are always true and always false: they replace queries of `scripting`, since the view runs none. */
export const ALWAYS = '(min-width:0px)';
export const NEVER = '(min-width:999999999px)';

/** Maximum nesting of blocks and parentheses; a text with deeper nesting is emptied. */
export const MAX_CSS_DEPTH = 512;
/**
 * Maximum number of paths from a nested selector to the outermost one: a browser may try them all for each element, and `&, & &` at
 * least doubles them with each rule. A text with more is emptied.
 */
export const MAX_CSS_NESTING = 32_768;

/**
 * Non-ASCII characters that older tokenizers accept in names and the current standard does not: they are escaped in names, so
 * that all browsers see the same tokens.
 */
export const EXOTIC =
  /[\u0080-\u00b6\u00b8-\u00bf\u00d7\u00f7\u037e\u2000-\u200b\u200e-\u203e\u2041-\u206f\u2190-\u2bff\u2ff0-\u3000\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]/;

/** Limits of animations: number and lengths, properties (by script name), pseudo-elements. */
export const ANIMATION_POLICY = {
  maxAnimations: 300,
  maxFrames: 1000,
  property: /^(?!__proto__$)(?:--[^\s;:{}()"'\\]{1,200}|[a-zA-Z][a-zA-Z0-9]{0,99})$/,
  pseudo: /^(?:::?[a-z-]{1,50}(?:\([^\s()"'\\;{}<>]{1,200}\))?)?$/,
} as const;
