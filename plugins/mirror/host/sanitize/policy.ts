/**
 * What of a page may reach the person's browser, as data. Sources: HTML Standard, SVG 2, SVG Animations, MathML Core, and what
 * Chromium, Gecko and WebKit add to them. An element or attribute that means something to a browser is named here; one that means
 * nothing (a custom element, an attribute of the page's own) is inert and passes, so that the page's selectors match it.
 */

/** What is done with an attribute. `keep` and `drop` say it; the others are functions of attributes.ts. */
export type Rule =
  | 'keep'
  | 'drop'
  /** A picture's address becomes a token. */
  | 'image'
  /** An inline picture, or an empty one: which one it is comes when the surrogate has loaded it. */
  | 'later'
  /** A picture's address, or a reference into the same document. */
  | 'image-or-fragment'
  /** A reference into the same document stays, anything else goes. */
  | 'fragment'
  /** The same; what it names in another file is filled in later. */
  | 'use'
  /** A link becomes the address of the isolated page. */
  | 'link'
  /** Declarations. */
  | 'style'
  /** A media query list. */
  | 'media'
  /** SVG presentation attributes and the like: values that may hold `url()`. */
  | 'css'
  /** Font families. */
  | 'families'
  /** Always `about:blank` (M-058). */
  | 'action'
  /** `tel`, `email` and `number` become `text` (M-061). */
  | 'input-type'
  /** Only the marker that `input-type` sets. */
  | 'type-marker'
  /** Only the name of a custom element, which the view defines without behaviour. */
  | 'is'
  /** Only names that keep the document's members visible. */
  | 'name'
  /** Only `_blank`: nothing in the view may name another browsing context. */
  | 'target'
  /** Always `off`: the person's own data is never offered to the page. */
  | 'autocomplete'
  /** Only metadata that changes how a page looks. */
  | 'meta-name'
  /** Only what can be no address: of the metadata that is kept, none is one. */
  | 'meta-content'
  /** Only commands to popovers: a button that has one says whether its popover is open. The client keeps clicks from acting. */
  | 'command'
  /** An animation may change anything but addresses and handlers. */
  | 'animated';

/** Prefix of the name that stands for an element that is not allowed: an unknown element, in every namespace. */
export const RENAMED_PREFIX = 'v-';

/** HTML elements that are renamed, with the reason. */
export const RENAMED_HTML: ReadonlyMap<string, string> = new Map([
  ['script', 'runs code (M-057)'],
  ['embed', 'runs a plugin or loads a document (M-057)'],
  ['applet', 'runs code (M-057)'],
  ['base', 'changes what every address in the view means'],
  ['noscript', 'shows in a frame without scripts, but not in the page'],
  ['portal', 'loads a document'],
  ['fencedframe', 'loads a document'],
  ['webview', 'loads a document'],
  ['controlledframe', 'loads a document'],
  ['model', 'loads a file of a format that nobody checks'],
  ['bgsound', 'loads a file'],
  ['permission', "asks for the person's permission in the shell's name"],
  ['geolocation', "asks for the person's place in the shell's name"],
  ['usermedia', "asks for the person's camera in the shell's name"],
  ['install', "installs an application in the shell's name"],
  ['login', "asks for the person's identity in the shell's name"],
  ['credential', "asks for the person's identity in the shell's name"],
]);

/** SVG elements that pass; any other is renamed. Missing on purpose: script, handler, listener, discard, and HTML's media elements. */
export const SVG_ELEMENTS: ReadonlySet<string> = new Set(
  `a altglyph altglyphdef altglyphitem animate animatecolor animatemotion animatetransform circle clippath color-profile cursor
  defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap
  fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode
  femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter font font-face font-face-format
  font-face-name font-face-src foreignobject g glyph glyphref hatch hatchpath hkern image line lineargradient marker mask mesh
  meshgradient meshpatch meshrow metadata missing-glyph mpath path pattern polygon polyline radialgradient rect set solidcolor stop
  style svg switch symbol text textpath title tref tspan unknown use view vkern`.split(/\s+/),
);

/** MathML elements that pass; any other is renamed. */
export const MATHML_ELEMENTS: ReadonlySet<string> = new Set(
  `annotation annotation-xml maction maligngroup malignmark math menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv
  mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace msqrt msrow mstack
  mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`.split(/\s+/),
);

/** Elements whose own text is not shown by browsers but would mean something to them, or would show once they are renamed. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set([
  'style',
  'script',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'embed',
  'applet',
]);

/** Attributes of all elements, whatever their namespace. */
export const COMMON_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  style: 'style',
  nonce: 'drop',
  is: 'is',
  autofocus: 'drop', // the page half says what has the focus
  accesskey: 'drop', // keys go to the page
  'xml:base': 'drop',
  xmlns: 'drop', // the client creates elements in their namespaces
  href: 'drop',
  src: 'drop',
  srcset: 'drop',
  srcdoc: 'drop',
  action: 'drop',
  formaction: 'drop',
  background: 'drop',
  poster: 'drop',
  data: 'drop',
  ping: 'drop',
  'v-type': 'type-marker',
};

const DROPPED_HTML = `sizes imagesrcset imagesizes http-equiv formmethod formtarget formenctype
  method enctype target download integrity crossorigin referrerpolicy attributionsrc attributionsourceid code
  codebase codetype archive classid object declare standby manifest profile cite longdesc dynsrc lowsrc icon itemid itemtype usemap
  ismap autoplay preload loading fetchpriority blocking async defer csp allow allowfullscreen allowtransparency sandbox credentialless
  sharedstoragewritable browsingtopics privatetoken adauctionheaders allowusermedia popovertarget popovertargetaction command
  commandfor interestfor interesttarget shadowrootmode shadowrootdelegatesfocus shadowrootclonable shadowrootserializable
  shadowrootcustomelementregistry rel as charset language elementtiming virtualkeyboardpolicy webkitdirectory capture accept-charset
  pluginspage pluginurl filename movie`
  .trim()
  .split(/\s+/);

/** Attributes of HTML elements that are not simply kept. What a certain element may have is in {@link HTML_ELEMENT_ATTRIBUTES}. */
export const HTML_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  ...COMMON_ATTRIBUTES,
  ...Object.fromEntries(DROPPED_HTML.map((name): [string, Rule] => [name, 'drop'])),
  autocomplete: 'autocomplete',
};

const LINK: Readonly<Record<string, Rule>> = { href: 'link', target: 'target', rel: 'keep' };
/** What tells assistive technology that a button opens a popover. The client keeps clicks from acting. */
const INVOKER: Readonly<Record<string, Rule>> = { popovertarget: 'keep', popovertargetaction: 'keep' };
const BACKGROUND: Readonly<Record<string, Rule>> = { background: 'image' };

/** Rules of single HTML elements; they go before {@link HTML_ATTRIBUTES}. */
export const HTML_ELEMENT_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  a: { ...LINK, name: 'keep' },
  area: LINK,
  img: { src: 'image', usemap: 'fragment', name: 'drop' }, // with a name, its id would hide members of the document too
  button: { ...INVOKER, commandfor: 'keep', command: 'command' },
  input: { ...INVOKER, type: 'input-type', src: 'image' },
  video: { poster: 'image' },
  body: BACKGROUND,
  table: BACKGROUND,
  thead: BACKGROUND,
  tbody: BACKGROUND,
  tfoot: BACKGROUND,
  tr: BACKGROUND,
  td: BACKGROUND,
  th: BACKGROUND,
  font: { face: 'families' },
  form: { action: 'action', name: 'name' },
  iframe: { name: 'drop' }, // a browsing context's name is not the page's to give
  frame: { name: 'drop' },
  meta: { name: 'meta-name', content: 'meta-content' },
  style: { title: 'drop', media: 'drop', type: 'drop' }, // the sheet op says all of it
  link: { title: 'drop', media: 'drop', type: 'drop', disabled: 'drop' },
  source: { media: 'drop', type: 'drop' },
};

/** Rules of custom elements, which mean nothing to a browser: the page's selectors may ask for any attribute. */
export const CUSTOM_ATTRIBUTES: Readonly<Record<string, Rule>> = { ...COMMON_ATTRIBUTES, href: 'link' };

/** All that an object may have (M-059). */
export const OBJECT_ATTRIBUTES: ReadonlySet<string> = new Set(
  'id class style width height name hspace vspace align title tabindex data-sv-src hidden'.split(' '),
);

/** Values of `name` that a meta element keeps; with any other it has none, and its content means nothing. */
export const META_NAMES: ReadonlySet<string> = new Set([
  'color-scheme',
  'supported-color-schemes',
  'theme-color',
  'viewport',
]);

/** Attributes of SVG elements; those not named may hold CSS values. */
export const SVG_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  ...COMMON_ATTRIBUTES,
  href: 'fragment',
  'xlink:href': 'fragment',
  'xlink:actuate': 'drop',
  'xlink:show': 'drop',
  'xlink:title': 'keep', // a link's name
  'xlink:type': 'drop',
  'xlink:role': 'drop',
  'xlink:arcrole': 'drop',
  target: 'drop',
  download: 'drop',
  ping: 'drop',
  referrerpolicy: 'drop',
  crossorigin: 'drop',
  attributionsrc: 'drop',
  externalresourcesrequired: 'drop',
  class: 'keep',
  id: 'keep',
  d: 'keep',
  'font-family': 'families',
  points: 'keep',
};

const SVG_LINK: Readonly<Record<string, Rule>> = { href: 'link', 'xlink:href': 'link', target: 'target' };
const SVG_PICTURE: Readonly<Record<string, Rule>> = { href: 'image-or-fragment', 'xlink:href': 'image-or-fragment' };
const ANIMATION: Readonly<Record<string, Rule>> = { attributename: 'animated' };

/** Attributes that say what an animation sets an attribute to: with none that it may set, they mean nothing. */
export const ANIMATION_VALUES = ['from', 'to', 'by', 'values'] as const;

/** Rules of single SVG elements; they go before {@link SVG_ATTRIBUTES}. */
export const SVG_ELEMENT_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  a: SVG_LINK,
  image: SVG_PICTURE,
  feimage: SVG_PICTURE,
  use: { href: 'use', 'xlink:href': 'use' },
  animate: ANIMATION,
  animatecolor: ANIMATION,
  animatemotion: ANIMATION,
  animatetransform: ANIMATION,
  set: ANIMATION,
  style: { title: 'drop', media: 'drop', type: 'drop' },
};

/** Attributes that no animation may set: addresses, handlers, and what names other documents. */
export const UNANIMATED: ReadonlySet<string> = new Set(
  `href src srcset srcdoc action formaction data poster background style target ping download nonce is http-equiv content rel
  attributename type`.split(/\s+/),
);

/** Attributes of MathML elements that are not simply kept. */
export const MATHML_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  ...COMMON_ATTRIBUTES,
  actiontype: 'drop',
  altimg: 'drop',
  cdgroup: 'drop',
  definitionurl: 'drop',
  target: 'drop',
  ping: 'drop',
};

/** Prefix of the attribute that keeps, as text that means nothing, what the page has said in one that is changed or left out. */
export const ORIGINAL_PREFIX = 'v-was-';
/** Attributes of HTML elements that are kept so where they are changed: the page's selectors and `attr()` ask for what it said. */
export const ORIGINALS: ReadonlySet<string> = new Set(
  `accept-charset accesskey action allow allowfullscreen as async autocomplete autofocus autoplay background blocking capture
  charset cite command commandfor crossorigin data defer download elementtiming enctype fetchpriority formaction formenctype
  formmethod formtarget href http-equiv icon imagesizes interestfor interesttarget itemid itemtype ismap language loading longdesc
  method ping popovertarget popovertargetaction poster preload referrerpolicy rel sandbox sizes src srcset target usemap
  virtualkeyboardpolicy webkitdirectory`.split(/\s+/),
);
/**
 * Those of them that are addresses. The view needs none of them, only the page's own sheets may: they are kept once a sheet of the
 * document compares or shows them (`[src$=".svg"]`, `attr(cite)`), and until then only say that they are there. What links lead to is
 * said by the links themselves, which the person sees, copies and opens.
 */
export const ADDRESS_ORIGINALS: ReadonlySet<string> = new Set(
  'action background cite data formaction href icon itemid itemtype longdesc ping poster src srcset usemap'.split(' '),
);
/** Those of them whose values selectors compare in either case. */
export const CASELESS_ORIGINALS: ReadonlySet<string> = new Set(
  'accept-charset charset defer enctype http-equiv language method rel target'.split(' '),
);
/** How much of an original is kept, in UTF-16 units. */
export const MAX_ORIGINAL_UNITS = 2048;

/** Namespaces of elements that browsers know besides those of HTML, SVG and MathML: in them, elements have none. */
export const KNOWN_NAMESPACES =
  /^(?:https?:\/\/www\.(?:w3\.org\/(?:1999\/(?:xhtml|xlink|XSL)|2000\/(?:svg|xmlns)|1998\/Math|XML|2001\/xml-events|2002\/xforms|ns\/)|mozilla\.org|wapforum\.org)|chrome|about:)/i;

/** Types of input that are shown as text inputs (M-061). */
export const TEXT_LIKE_TYPES: ReadonlySet<string> = new Set(['tel', 'email', 'number']);
/** Attribute that keeps such a type, for the page's selectors. */
export const TYPE_ATTRIBUTE = 'v-type';
