import { OWN_SHEET_UNITS } from '../ops.ts';
import { asElement, parentOf, read, rootOf, write } from './dom.ts';
import type { Root } from './dom.ts';
import type { Realm } from './realm.ts';

/**
 * Hides what a frame without scripts would show otherwise. Our rules are in the first layer: its important declarations win over all
 * of the page's, its normal ones lose to them. The host's font sheet has rules in the same layer (font-sheet.ts).
 */
const OURS = `@layer vitrine{
v-noscript:not([v-shown]),v-script,v-base,v-meta,v-blocked,audio:not([controls]){display:none!important}
video:not([controls])::-webkit-media-controls{display:none!important}
canvas::selection{background:0 0!important}
[data-vitrine-framed]{display:inline-block!important;overflow:hidden!important;color:transparent!important}
v-embed{width:attr(width px);height:attr(height px)}
[data-vitrine-framed]>*{display:none!important}
[data-vitrine-framed]>iframe:last-child{display:block!important;min-width:100%!important;max-width:100%!important;min-height:100%!important;max-height:100%!important;border:0!important;margin:0!important}
:root,input,select,textarea,button,::file-selector-button{}
}`;

/** Marks an element that shows its nested frame in an iframe of ours (framed-object.ts): the rules above are for it. */
export const FRAMED = 'data-vitrine-framed';

/** Makes the root of an SVG document fill the object that shows it, whatever its own size is. */
const FILLS = ':root{width:100%!important;height:100%!important}';

/** Matches the elements that {@link OURS} selects. */
const IN_OURS = /^(?:v-.*|audio|video|canvas|object|input|select|textarea|button)$/;

/** Content of a style sheet. */
interface SheetContent {
  readonly text: string;
  readonly media: string;
  readonly disabled: boolean;
}

/** Returns the content of a style sheet from the fields of an op. */
export function contentOf(text = '', media = '', disabled: number): SheetContent {
  return { text, media, disabled: disabled !== 0 };
}

/**
 * All style sheets of one document. Whatever they are in the page, here they are constructed sheets, adopted by the document or shadow
 * root of their owners in tree order; those that the page has adopted itself come last.
 */
export class Sheets {
  readonly #realm: Realm;
  readonly #ours: CSSStyleSheet;
  /** Sheets by owner element: its own, then large parts appended to it. */
  readonly #owned = new Map<Element, [CSSStyleSheet, ...CSSStyleSheet[]]>();
  readonly #owners = new Map<Root, Set<Element>>();
  readonly #rootOf = new Map<Element, Root>();
  /** Constructed sheets by their id. */
  readonly #constructed = new Map<number, CSSStyleSheet>();
  readonly #adopted = new Map<Root, readonly number[]>();
  readonly #special = new Set<Root>();
  readonly #dirty = new Set<Root>();
  readonly #arrived = new Set<Element>();

  constructor(realm: Realm) {
    this.#realm = realm;
    this.#ours = new realm.window.CSSStyleSheet();
    this.#ours.replaceSync(OURS);
    if (realm.type === 'image/svg+xml' && isInObject(realm.window)) this.rule(FILLS);
    this.#special.add(realm.document);
    this.#dirty.add(realm.document);
  }

  /** Sets, changes or removes the sheet of an element. */
  own(owner: Element, content: SheetContent | undefined): void {
    const sheets = this.#owned.get(owner);
    if (!content) this.disown(owner);
    else {
      this.#owned.set(owner, [this.#fill(sheets?.[0], content)]);
      if (sheets?.length !== 1) this.#arrived.add(owner);
    }
  }

  /** Appends rules to an element's sheet. */
  append(owner: Element, text: string): void {
    const sheets = this.#owned.get(owner);
    if (!sheets) return;
    const [{ media, disabled }] = sheets;
    const added = this.#fill(undefined, { text, media: media.mediaText, disabled });
    const last = sheets.at(-1) as CSSStyleSheet; // never empty
    if (text.length > OWN_SHEET_UNITS) {
      sheets.push(added);
      this.#arrived.add(owner);
    } else for (const { cssText } of added.cssRules) last.insertRule(cssText, last.cssRules.length);
  }

  /** Drops the sheet of a removed element. */
  disown(owner: Element): void {
    if (!this.#owned.delete(owner)) return;
    this.#arrived.delete(owner);
    this.#leave(owner);
  }

  /** Called when elements have moved: order and roots are computed again. */
  moved(): void {
    for (const owner of this.#owned.keys()) this.#arrived.add(owner);
  }

  /** Sets the content of a constructed sheet of the page. */
  define(id: number, content: SheetContent): void {
    this.#constructed.set(id, this.#fill(this.#constructed.get(id), content));
  }

  /** Sets the adopted sheets of a root, in order; unknown sheets are skipped. */
  adopt(root: Root, ids: readonly number[]): void {
    this.#adopted.set(root, ids);
    this.#dirty.add(root);
  }

  /** Drops a removed shadow root. */
  dropRoot(root: Root): void {
    for (const map of [this.#owners, this.#adopted, this.#special, this.#dirty]) map.delete(root);
  }

  /** Records a new element if a rule of ours selects it. */
  note(element: Element, name: string): void {
    if (IN_OURS.test(name)) this.#arrived.add(element);
  }

  /** Adds a rule of ours for one element: `selector{...}`. Returns the rule. */
  rule(text: string): CSSStyleRule {
    const { cssRules } = this.#ours;
    return cssRules[this.#ours.insertRule(text, cssRules.length)] as CSSStyleRule; // of the kind that was just inserted
  }

  /** Whether text is drawn without hinting, where the page does not say: in faces of the host as in installed fonts. */
  set unhinted(on: boolean) {
    const { cssRules } = this.#ours.cssRules[0] as CSSLayerBlockRule; // by the text above, and so is its last rule
    const rule = cssRules[cssRules.length - 1] as CSSStyleRule;
    rule.style.textRendering = on ? 'geometricPrecision' : '';
  }

  /** Applies all changes; called once after every batch. */
  commit(): void {
    for (const element of this.#arrived) this.#arrive(element);
    this.#arrived.clear();
    for (const root of this.#dirty) this.#apply(root);
    this.#dirty.clear();
  }

  #arrive(element: Element): void {
    const root = rootOf(element);
    const owns = this.#owned.has(element);
    if (owns) this.#leave(element);
    if (!root) return;
    if (owns) {
      const owners = this.#owners.get(root);
      if (owners) owners.add(element);
      else this.#owners.set(root, new Set([element]));
      this.#rootOf.set(element, root);
    } else if (this.#special.has(root)) return;
    else this.#special.add(root);
    this.#dirty.add(root);
  }

  #leave(owner: Element): void {
    const root = this.#rootOf.get(owner);
    if (!root) return;
    this.#rootOf.delete(owner);
    this.#owners.get(root)?.delete(owner);
    this.#dirty.add(root);
  }

  #apply(root: Root): void {
    const owners = [...(this.#owners.get(root) ?? [])].sort(inTreeOrder);
    const type = root === this.#realm.document ? Document : ShadowRoot;
    const current = read(type as typeof ShadowRoot, root as ShadowRoot, 'adoptedStyleSheets'); // both have it
    const list = [
      ...(this.#special.has(root) ? [this.#ours] : []),
      ...owners.flatMap((owner) => this.#owned.get(owner)),
      ...(this.#adopted.get(root) ?? []).map((id) => this.#constructed.get(id)),
      ...current.filter((sheet) => 'stays' in sheet), // of the cursor for a slow connection
    ].filter((sheet) => sheet !== undefined);
    if (current.length === list.length && list.every((sheet, at) => sheet === current[at])) return;
    write(type as typeof ShadowRoot, root as ShadowRoot, 'adoptedStyleSheets', list);
  }

  /** Fills the given sheet, or a new one. */
  #fill(sheet = new this.#realm.window.CSSStyleSheet(), { text, media, disabled }: SheetContent): CSSStyleSheet {
    if (sheet.media.mediaText !== media) sheet.media.mediaText = media;
    sheet.replaceSync(text);
    sheet.disabled = disabled;
    return sheet;
  }
}

function isInObject({ frameElement }: Window): boolean {
  const parent = frameElement && asElement(parentOf(frameElement));
  return !!parent && Element.prototype.hasAttribute.call(parent, FRAMED);
}

function inTreeOrder(a: Element, b: Element): number {
  return Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
