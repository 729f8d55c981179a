import {
  ALWAYS,
  MATHML_ELEMENTS,
  OBJECT_ATTRIBUTES,
  RENAMED_HTML,
  RENAMED_PREFIX,
  SECRET_ALWAYS,
  SILENT_ELEMENTS,
  SVG_ELEMENTS,
} from '../../../plugins/mirror/host/sanitize/policy.ts';
import type { Seen } from './snapshot.ts';

/** Attributes that mean nothing to a browser's security: they must arrive as they are, on all elements that keep their names. */
const KEPT = ['id', 'class', 'title', 'dir', 'lang', 'colspan', 'aria-label', 'data-x', 'slot', 'd', 'hidden'];

/** Differences between the page as the surrogate has it and the view; none where the view shows all that is allowed, and nothing else. */
export function compareMarkup(before: readonly Seen[], after: readonly Seen[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [page, view] = [before[at], after[at]];
    if (page && !view) return [...found, `lacks ${short(page)}`];
    if (!page || !view) return view ? [...found, `has, and should not, ${short(view)}`] : found;
    const name = expectedName(page.name);
    if (view.name !== name || view.depth !== page.depth)
      return [...found, `has ${short(view)}, and should have ${name} for ${short(page)}`];
    found.push(...compareElement(page, view));
  }
  return found;
}

function compareElement(page: Seen, view: Seen): string[] {
  const found: string[] = [];
  const isRenamed = page.name !== view.name;
  for (const key of KEPT)
    if (
      page.attributes[key] !== undefined &&
      !isRenamed &&
      isKept(page.name, key) &&
      page.attributes[key] !== view.attributes[key]
    )
      found.push(`${key} of ${short(page)} is ${JSON.stringify(view.attributes[key])}`);
  for (const key of Object.keys(view.attributes))
    if (page.attributes[key] === undefined && !isOwn(page, key)) found.push(`${short(view)} has ${key}`);
  const local = page.name.slice(page.name.indexOf(':') + 1);
  const isSilent = SILENT_ELEMENTS.has(local.toLowerCase());
  if (isSilent ? view.text.replaceAll('|', '').trim() !== '' : normal(page.text) !== normal(view.text))
    found.push(`the text of ${short(page)} is ${JSON.stringify(view.text)}`);
  if (!isRenamed && !isSilent && page.style.join() !== view.style.join())
    found.push(`the style of ${short(page)} is ${view.style.join()}, not ${page.style.join()}`);
  return found;
}

/** Adjacent text nodes are one in the view. */
function normal(text: string): string {
  return text.replaceAll('|', '');
}

/** Objects keep few attributes; the title of a sheet is with its text. */
function isKept(name: string, key: string): boolean {
  if (key === 'title' && /^(?:svg:)?(?:style|link)$/.test(name)) return false;
  return name !== 'object' || OBJECT_ATTRIBUTES.has(key);
}

/** Whether an attribute is one that the product adds to such an element. */
function isOwn({ name, attributes }: Seen, key: string): boolean {
  if (/^(?:v-|data-vitrine-)/.test(key) || ALWAYS[name]?.[key] !== undefined) return true;
  if (name === 'img' && key === 'src') return attributes['srcset'] !== undefined; // it shows what of these is shown
  if (name === 'iframe' || name === 'frame') return key === 'sandbox' || key === 'src';
  return (
    name === 'input' &&
    attributes['type']?.toLowerCase() === 'password' &&
    (SECRET_ALWAYS[key] !== undefined || key === 'type')
  );
}

/** Names that every browser takes; elements of other names, which only parsers make, get one of their own. */
const NAME = /^[a-z][\w.-]*$/i;

function expectedName(name: string): string {
  const at = name.indexOf(':') + 1;
  const [space, local] = [name.slice(0, at), name.slice(at)];
  const lower = local.toLowerCase();
  if (!NAME.test(local)) return `${space}v-unknown`;
  const isAllowed =
    space === 'svg:'
      ? SVG_ELEMENTS.has(lower)
      : space === 'math:'
        ? MATHML_ELEMENTS.has(lower)
        : !RENAMED_HTML.has(lower);
  return isAllowed ? name : `${space}${RENAMED_PREFIX}${local}`;
}

function short({ name, attributes }: Seen): string {
  return `<${name} ${JSON.stringify(attributes).slice(0, 200)}>`;
}
