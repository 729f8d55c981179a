import { NAMESPACE, NAMESPACE_URI, splitName } from '../ops.ts';
import { HTML_URI, isHtml, nameOf, namespaceOf } from './dom.ts';
import { shownLink } from './links.ts';
import type { Realm } from './realm.ts';

/** Sandbox of the view's frames. WebKit delivers no events from a frame without scripts (bug 218086); the policy forbids them there. */
export const FRAME_SANDBOX = /^Apple/.test(navigator.vendor) ? 'allow-same-origin allow-scripts' : 'allow-same-origin';

/** Replaces an element that may not be created: shows nothing, and keeps the shape of the tree. */
export const BLOCKED_ELEMENT = 'v-blocked';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** HTML elements with an interface of their own; those without one have no effects. */
const HTML = words(
  'a area audio blockquote body br button canvas caption col colgroup data datalist del details dialog dir div dl fieldset font form frame frameset h1 h2 h3 h4 h5 h6 head hr html iframe img input ins label legend li link listing map marquee menu meta meter object ol optgroup option output p param picture pre progress q select selectedcontent slot source span style table tbody td template textarea tfoot th thead time title tr track ul video xmp',
);
/** Matches elements that run or load something in some browser, or that show only without scripts: in any namespace, with any prefix. */
const BLOCKED = /^(?:.*:)?(?:applet|base|embed|fencedframe|handler|noscript|portal|script|webview)$/i;
const SVG = words(
  'a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path pattern polygon polyline radialGradient rect set stop style svg switch symbol text textPath title tspan use view',
);
/** M-059. */
const OBJECT_ATTRIBUTES = words(
  'id class style width height name hspace vspace align title tabindex data-sv-src hidden',
);
const REFUSED = words(
  'allow archive attributionsrc autocomplete autofocus autoplay classid closedby code codebase credentialless csp data formaction http-equiv imagesrcset integrity interestfor manifest nonce ping referrerpolicy sandbox shadowrootmode srcdoc xml:base',
);
/** Attributes whose value is checked. */
const CHECKED = words('action href src srcset poster background rel name popover attributename command type');

const NAMESPACED: ReadonlyMap<string, string> = new Map([
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['xmlns', 'http://www.w3.org/2000/xmlns/'],
]);
const RESOURCE = /^(?:(?:\/c\/[a-z]\/[\w.-]+(?:#|$)|data:image\/)[^\s\0"'<>\\()]*|about:invalid)$/i;
const ONE_CANDIDATE = /^(\S+) \d+(?:\.\d+)?x$/;

/**
 * Creates an element, or the replacement of one that is not allowed (M-057). It has no attributes, except frames, which are sandboxed.
 */
export function createElement(realm: Realm, namespace: number, name: string, is?: string): Element {
  const { document } = realm;
  const [local, uri] = splitName(name);
  const options = is === undefined ? undefined : { is };
  try {
    // `createElement` parses names like the parser does: `o:p` is not a paragraph with a prefix.
    const element =
      namespace === NAMESPACE.html && realm.type !== 'image/svg+xml'
        ? Document.prototype.createElement.call(document, name, options)
        : Document.prototype.createElementNS.call(document, uri || (NAMESPACE_URI[namespace] ?? ''), local, options);
    if (isSafe(realm, element)) {
      // Nothing that the person's browser keeps for this origin is for a page.
      if (isHtml(element, 'form', 'input', 'select', 'textarea'))
        Element.prototype.setAttribute.call(element, 'autocomplete', 'off');
      if (isFrame(element)) {
        Element.prototype.setAttribute.call(element, 'sandbox', FRAME_SANDBOX);
        Element.prototype.setAttribute.call(element, 'data-vitrine-frame', '');
      }
      return element;
    }
  } catch {
    // The browser does not accept the name.
  }
  return Document.prototype.createElementNS.call(document, HTML_URI, BLOCKED_ELEMENT);
}

/** Whether an element can show a nested frame. */
export function isFrame(element: Element): element is HTMLIFrameElement {
  return namespaceOf(element) === HTML_URI && /^i?frame$/.test(nameOf(element));
}

function isSafe({ window }: Realm, element: Element): boolean {
  const name = nameOf(element);
  const type: unknown = Object.getPrototypeOf(element);
  if (BLOCKED.test(name)) return false;
  switch (namespaceOf(element)) {
    case HTML_URI:
      return (
        HTML.has(name) ||
        name.includes('-') ||
        type === window.HTMLElement.prototype ||
        type === window.HTMLUnknownElement.prototype
      );
    case NAMESPACE_URI[NAMESPACE.svg]:
      return SVG.has(name) || type === window.SVGElement.prototype;
    case NAMESPACE_URI[NAMESPACE.mathml]:
    case null:
      return true;
    default: // of an unknown element
      return type === window.Element.prototype;
  }
}

/** Sets or removes an attribute, unless it could run or load anything, or lead anywhere, that the host has not allowed. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  const lower = name.toLowerCase();
  const local = lower.slice(lower.lastIndexOf(':') + 1);
  if (local.startsWith('on') || lower.startsWith('data-vitrine') || REFUSED.has(local) || REFUSED.has(lower)) return;
  if (nameOf(element) === 'object' && !OBJECT_ATTRIBUTES.has(lower)) return;
  const allowed = value !== undefined && CHECKED.has(local) ? check(element, local, value) : value;
  const colon = name.indexOf(':');
  const namespace = colon < 0 ? undefined : NAMESPACED.get(name.slice(0, colon));
  try {
    if (namespace === undefined) {
      if (allowed === undefined) Element.prototype.removeAttribute.call(element, name);
      else Element.prototype.setAttribute.call(element, name, allowed);
    } else if (allowed === undefined)
      Element.prototype.removeAttributeNS.call(element, namespace, name.slice(colon + 1));
    else Element.prototype.setAttributeNS.call(element, namespace, name, allowed);
  } catch {
    // The browser does not accept the name.
  }
}

/** Returns the value that an attribute may get; undefined: it must not be set. */
function check(element: Element, name: string, value: string): string | undefined {
  const tag = nameOf(element);
  switch (name) {
    case 'href':
      if (tag === 'link' || tag === 'base') return undefined;
      if (tag === 'image' || tag === 'feImage') return isResource(value) || value.startsWith('#') ? value : undefined;
      // The host sanitizes the parts of another SVG file.
      if (tag === 'use' && value.startsWith('/c/') && isResource(value)) return value;
      if (tag !== 'a' && tag !== 'area') return value.startsWith('#') ? value : undefined;
      return shownLink(value);
    case 'action':
      return value === 'about:blank' ? value : undefined; // M-058
    case 'rel':
      return tag === 'link' ? undefined : value;
    case 'name':
      // Of all metadata only the colour scheme affects the picture (M-060).
      return tag === 'meta' && !/^color-scheme$/i.test(value) ? undefined : value;
    case 'popover':
      // The surrogate decides when it closes: no light dismissal here.
      return 'manual';
    case 'attributename':
      return /^(?!on|href)[a-z-]+$/i.test(value) ? value : undefined;
    case 'command':
      return /-popover$/i.test(value) ? value : undefined;
    case 'type':
      // The host sends what stands for a password, never for a field that a browser takes for one.
      return tag === 'input' && /^password$/i.test(value) ? 'text' : value;
    case 'srcset':
      return isResource(ONE_CANDIDATE.exec(value)?.[1] ?? '') ? value : undefined;
    default:
      return !isFrame(element) && isResource(value) ? value : undefined;
  }
}

/** Whether an address is one that the host issues, or an inline picture. */
export function isResource(address: string): boolean {
  return RESOURCE.test(address);
}
