import { dom } from '../../../core/page.ts';

/**
 * Titled and alternate style sheets that are enabled. No interface exposes it (`disabled` is false for the others too): it follows from
 * the order in which the page has named sets of sheets, as in Chromium.
 */
export class SheetSets {
  /** First set name that the page has given: titled sheets of the document apply only if they have it. */
  #preferred = '';
  /** Links that script has enabled: they apply whatever their title. */
  readonly #enabled = new WeakSet<Element>();

  /** Called when a style, link or meta element is found, or one of its attributes has changed. */
  learn(element: Element, attribute?: string): void {
    if (attribute === 'disabled' && !dom.hasAttribute(element, 'disabled')) this.#enabled.add(element);
    if (this.#preferred === '' && attribute !== 'title' && !isInShadow(element)) this.#preferred = nameOf(element);
  }

  /** Whether a sheet applies where its media do. */
  applies(element: Element, { disabled, title }: CSSStyleSheet): boolean {
    if (disabled) return false;
    if (this.#enabled.has(element)) return true;
    if (isInShadow(element)) return !isAlternate(element);
    return title ? title === this.#preferred : !isAlternate(element);
  }
}

/** Returns the name of the set that an element makes the preferred one, if it is the first. */
function nameOf(element: Element): string {
  const name = dom.localName(element);
  if (name === 'meta') {
    const isDefault = dom.attribute(element, 'http-equiv')?.toLowerCase() === 'default-style';
    return (isDefault && dom.attribute(element, 'content')) || '';
  }
  const isSheet = name === 'style' || (relations(element).includes('stylesheet') && !!dom.attribute(element, 'href'));
  const isOther = !/^(?:\s*text\/css\s*(?:;.*)?)?$/i.test(dom.attribute(element, 'type') ?? '');
  if (!isSheet || isOther || isAlternate(element) || dom.hasAttribute(element, 'disabled')) return '';
  return dom.attribute(element, 'title') ?? '';
}

function isAlternate(element: Element): boolean {
  return dom.localName(element) === 'link' && relations(element).includes('alternate');
}

function relations(element: Element): string[] {
  return (dom.attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/);
}

function isInShadow(element: Element): boolean {
  return dom.rootOf(element) instanceof ShadowRoot;
}
