/**
 * The policy for markup, as data. Sources: HTML Standard, SVG 2, SVG Animations, MathML Core, and the extensions of Chromium, Gecko
 * and WebKit. An element or attribute with a meaning to a browser is named here; one without (a custom element, an attribute of the
 * page's own) is inert and passes, so that the page's selectors match it.
 */

/** Replaces the action of every form (M-058). */
export const FORM_ACTION = 'about:blank';

/** Treatment of an attribute: `keep`, `drop`, or a function of attributes.ts. */
export type Rule =
  | 'keep'
  | 'drop'
  /** A picture's address becomes a token. */
  | 'image'
  /** An inline picture stays; any other becomes an empty one until the surrogate has loaded it. */
  | 'later'
  /** A picture's address, or a reference into the same document. */
  | 'image-or-fragment'
  /** A reference into the same document stays, any other is dropped. */
  | 'fragment'
  /** The same; a reference into another file is set later. */
  | 'use'
  /** A link becomes the address of the isolated page. */
  | 'link'
  /** Declarations. */
  | 'style'
  /** A media query list. */
  | 'media'
  /** SVG presentation attributes and similar: values that may contain `url()`. */
  | 'css'
  /** Font families. */
  | 'families'
  /** Always `about:blank` (M-058). */
  | 'action'
  /** `tel`, `email` and `number` become `text` (M-061), and so does `password`: see {@link TEXT_LIKE_TYPES}. */
  | 'input-type'
  /** Only the marker that `input-type` sets. */
  | 'type-marker'
  /** Only the name of a custom element, which the view defines without behaviour. */
  | 'is'
  /** Only names that keep the document's members visible. */
  | 'name'
  /** Only `_blank`: nothing in the view may name another browsing context. */
  | 'target'
  /** Always `off`. */
  | 'off'
  /** Always `false`. */
  | 'false'
  /** Bullets, as a browser shows the value of a password field. */
  | 'bullets'
  /** Only metadata that changes how a page looks. */
  | 'meta-name'
  /** Only values that cannot be an address: none of the metadata that is kept is one. */
  | 'meta-content'
  /** Only commands to popovers: a button with one says whether its popover is open. The client prevents the effects of clicks. */
  | 'command'
  /** An animation may change anything but addresses and handlers. */
  | 'animated';

/** Prefix for the name of an element that is not allowed: makes it an unknown element, in every namespace. */
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

/** SVG elements that pass; any other is renamed. Omitted intentionally: script, handler, listener, discard, and HTML's media elements. */
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

/** Elements whose own text browsers do not show but interpret, or would show once they are renamed. */
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
  autofocus: 'drop', // the page half reports the focus
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

/** Attributes of HTML elements that need a rule. Those of certain elements are in {@link HTML_ELEMENT_ATTRIBUTES}. */
export const HTML_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  ...COMMON_ATTRIBUTES,
  ...Object.fromEntries(DROPPED_HTML.map((name): [string, Rule] => [name, 'drop'])),
  autocomplete: 'off', // the person's own data is never offered to the page
};

const LINK: Readonly<Record<string, Rule>> = { href: 'link', target: 'target', rel: 'keep' };
/** Attributes that expose to assistive technology that a button opens a popover. The client prevents the effects of clicks. */
const INVOKER: Readonly<Record<string, Rule>> = { popovertarget: 'keep', popovertargetaction: 'keep' };
const BACKGROUND: Readonly<Record<string, Rule>> = { background: 'image' };

/** Rules of single HTML elements; they override {@link HTML_ATTRIBUTES}. */
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
  iframe: { name: 'drop' }, // the page must not name a browsing context
  frame: { name: 'drop' },
  meta: { name: 'meta-name', content: 'meta-content' },
  style: { title: 'drop', media: 'drop', type: 'drop' }, // the sheet op has all of it
  link: { title: 'drop', media: 'drop', type: 'drop', disabled: 'drop' },
  source: { media: 'drop', type: 'drop' },
};

/** Attributes that elements always have; a value of the page's takes its place only where a rule keeps it. */
export const ALWAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  form: { action: FORM_ACTION, autocomplete: 'off' },
  input: { autocomplete: 'off' },
  select: { autocomplete: 'off' },
  textarea: { autocomplete: 'off' },
};

/** Rules of password fields; they override those of inputs. */
export const SECRET_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  value: 'bullets',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
  pattern: 'drop', // the page half says whether the value is valid
  list: 'drop', // has no effect on a password field
};

/**
 * Attributes that password fields always have: assistive technology says what they are, keyboards do not learn what is typed there, and
 * extensions that keep passwords (1Password, LastPass, Bitwarden, Dashlane, Proton Pass) leave them alone.
 */
export const SECRET_ALWAYS: Readonly<Record<string, string>> = {
  'v-secret': '',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
  'aria-roledescription': 'password',
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
  'data-protonpass-ignore': '',
};

/** Rules of custom elements, which browsers ignore: the page's selectors may ask for any attribute. */
export const CUSTOM_ATTRIBUTES: Readonly<Record<string, Rule>> = { ...COMMON_ATTRIBUTES, href: 'link' };

/** All attributes that an object may have (M-059). */
export const OBJECT_ATTRIBUTES: ReadonlySet<string> = new Set(
  'id class style width height name hspace vspace align title tabindex data-sv-src hidden'.split(' '),
);

/** Values of `name` that a meta element keeps; with any other, the name is dropped, and its content has no effect. */
export const META_NAMES: ReadonlySet<string> = new Set([
  'color-scheme',
  'supported-color-schemes',
  'theme-color',
  'viewport',
]);

/** Attributes of SVG elements; others may hold CSS values. */
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

/** Attributes with the values of an animation: dropped if it names no attribute that it may set. */
export const ANIMATION_VALUES = ['from', 'to', 'by', 'values'] as const;

/** Rules of single SVG elements; they override {@link SVG_ATTRIBUTES}. */
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

/** Attributes that no animation may set: addresses, handlers, and names of other documents. */
export const UNANIMATED: ReadonlySet<string> = new Set(
  `href src srcset srcdoc action formaction data poster background style target ping download nonce is http-equiv content rel
  attributename type`.split(/\s+/),
);

/** Attributes of MathML elements that need a rule. */
export const MATHML_ATTRIBUTES: Readonly<Record<string, Rule>> = {
  ...COMMON_ATTRIBUTES,
  actiontype: 'drop',
  altimg: 'drop',
  cdgroup: 'drop',
  definitionurl: 'drop',
  target: 'drop',
  ping: 'drop',
};

/** Prefix of the attribute that keeps the original value of a changed or dropped one, as text without meaning. */
export const ORIGINAL_PREFIX = 'v-was-';
/** Attributes of HTML elements whose original values are kept where they change: the page's selectors and `attr()` need them. */
export const ORIGINALS: ReadonlySet<string> = new Set(
  `accept-charset accesskey action allow allowfullscreen as async autocapitalize autocomplete autocorrect autofocus autoplay background
  blocking capture
  charset cite command commandfor crossorigin data defer download elementtiming enctype fetchpriority formaction formenctype
  formmethod formtarget href http-equiv icon imagesizes interestfor interesttarget itemid itemtype ismap language loading longdesc
  method pattern ping popovertarget popovertargetaction poster preload referrerpolicy rel sandbox sizes spellcheck src srcset target
  usemap virtualkeyboardpolicy webkitdirectory`.split(/\s+/),
);
/**
 * Those of them that are addresses. The view needs none of them, only the page's own sheets may: they are sent once a sheet of the
 * document compares or shows them (`[src$=".svg"]`, `attr(cite)`), and until then only their presence is. The targets of links are in
 * the links themselves, which the person sees, copies and opens.
 */
export const ADDRESS_ORIGINALS: ReadonlySet<string> = new Set(
  'action background cite data formaction href icon itemid itemtype longdesc ping poster src srcset usemap'.split(' '),
);
/** Those of them whose values selectors compare ignoring case. */
export const CASELESS_ORIGINALS: ReadonlySet<string> = new Set(
  'accept-charset charset defer enctype http-equiv language method rel target'.split(' '),
);
/** Those of them that elements always have in the view, by the selectors of these elements: there only the original counts. */
export const ALWAYS_SET: ReadonlyMap<string, string> = new Map([
  ['autocomplete', 'form,input,select,textarea'],
  ['autocapitalize', '[v-secret]'],
  ['autocorrect', '[v-secret]'],
  ['spellcheck', '[v-secret]'],
]);
/** Maximum length of a kept original value, in UTF-16 units. */
export const MAX_ORIGINAL_UNITS = 2048;

/** Matches namespaces that browsers know besides those of HTML, SVG and MathML: elements in them are created without a namespace. */
export const KNOWN_NAMESPACES =
  /^(?:https?:\/\/www\.(?:w3\.org\/(?:1999\/(?:xhtml|xlink|XSL)|2000\/(?:svg|xmlns)|1998\/Math|XML|2001\/xml-events|2002\/xforms|ns\/)|mozilla\.org|wapforum\.org)|chrome|about:)/i;

/**
 * Types of input that are shown as text inputs (M-061). All isolated pages are documents of one origin to the person's browser: in a
 * field that it takes for one of passwords, it would offer those that it keeps for any of them.
 */
export const TEXT_LIKE_TYPES: ReadonlySet<string> = new Set(['tel', 'email', 'number', 'password']);
/** The one of them whose value is secret: the view gets bullets. */
export const SECRET_TYPE = 'password';
/** Attribute that keeps such a type, for the page's selectors. */
export const TYPE_ATTRIBUTE = 'v-type';
