import { localFragment, NO_RESOURCE, resourceAddress } from './addresses.ts';
import type { AddressContext } from './addresses.ts';
import {
  ADDRESS_FUNCTIONS,
  BLOCKED_FUNCTIONS,
  BLOCKED_NAME,
  BLOCKED_PROPERTIES,
  EXOTIC,
  MAX_CSS_DEPTH,
  MAX_CSS_NESTING,
  SELECTOR_FUNCTIONS,
} from './css-policy.ts';
import { declarationEdits, fontNames } from './css-fonts.ts';
import { AddressFunctions } from './css-address-functions.ts';
import { substitutedOption } from './css-image-sets.ts';
import { APART, DividedNames, endsAsFunction } from './css-divided-names.ts';
import { CssOutput } from './css-output.ts';
import { noteNames, NOTHING } from './css-parts.ts';
import type { Rewritten } from './css-parts.ts';
import { SheetHead } from './css-sheet-head.ts';
import { isRule, opened, scriptingQuery } from './css-statements.ts';
import type { Open } from './css-statements.ts';
import { rewriteAttributeSelector, rewritePseudoClass, rewriteTypeSelector } from './css-selectors.ts';
import {
  before,
  CLOSERS,
  escaped,
  escapeMarks,
  isClosedString,
  isClosedUrl,
  nameOf,
  preprocess,
  quote,
  rawOf,
  skipSpace,
  stringOf,
  TOKEN,
  tokenizing,
  turns,
  untilDone,
  urlOf,
} from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';
import { ORIGINAL_PREFIX, ORIGINALS, RENAMED_HTML, SECRET_ATTRIBUTES } from './policy.ts';

const MAY_NAME_RENAMED = new RegExp(`\\\\|${[...RENAMED_HTML.keys()].join('|')}`, 'i');
const MAY_NAME_BLOCKED = /\\|binding|behavior/i;

/** Kind of a CSS text: a style sheet, or the inside of a rule, an attribute's value or a media query list. */
type CssKind = 'sheet' | 'fragment';

/**
 * Rewrites CSS token by token: what is kept keeps its source text. Every address becomes a token, a fragment or an inline picture,
 * wherever it stands (custom properties too); the result is closed, so that text can be put around and after it.
 */
export class CssRewriter {
  readonly #source: string;
  #tokens!: Tokens; // when the first turn is over, and the two that follow
  #output!: CssOutput;
  #addresses!: AddressFunctions;
  #divided!: DividedNames;
  readonly #context: AddressContext;
  readonly #sheet: boolean;
  /** Whether the text may have names that need a change: for most texts, no name has to be checked. */
  readonly #exotic: boolean;
  readonly #renamed: boolean;
  readonly #blocked: boolean;
  readonly #open: Open[] = [];
  readonly #head: SheetHead;
  /** Replacements for tokens of the current declaration, by their index, if it has fonts. */
  #fontEdits: ReadonlyMap<number, string> | undefined;
  readonly #names = { fonts: fontNames(), asked: new Set<string>() };
  /** Number of times that the current list of selectors names the rule around it. */
  #parents = 1;

  constructor(text: string, kind: CssKind, context: AddressContext) {
    this.#source = preprocess(kind === 'sheet' ? text : escapeMarks(text));
    this.#context = context;
    this.#sheet = kind === 'sheet';
    this.#head = new SheetHead(context);
    this.#exotic = EXOTIC.test(text);
    this.#renamed = MAY_NAME_RENAMED.test(text);
    this.#blocked = MAY_NAME_BLOCKED.test(text);
    this.#open.push(opened(-1, { block: true }));
  }

  /** Rewrites all of it at once. Either this or {@link turns} runs, once. */
  rewrite(): Rewritten {
    return untilDone(this.turns());
  }

  /** Rewrites in turns that are short however long the text is, but for one token (a string, say): each is one turn. */
  *turns(): Generator<undefined, Rewritten> {
    this.#tokens = yield* tokenizing(this.#source);
    this.#output = new CssOutput(this.#tokens);
    this.#addresses = new AddressFunctions(this.#tokens);
    this.#divided = new DividedNames(this.#tokens);
    const { types, count } = this.#tokens;
    const isOver = turns();
    for (let at = 0; at < count; at++) {
      if (isOver()) yield;
      const type = types[at] as number; // `at` is below the count
      if (this.#divided.mustPart(at, type, this.#addresses.areAround(at))) this.#put(at - 1, APART);
      this.#divided.take(at, type);
      if (type === TOKEN.space || type === TOKEN.comment) {
        if (at === count - 1) this.#closeComment(at);
        continue;
      }
      const next = this.#begin(at, type);
      at = next > at ? next - 1 : this.#take(at, type);
      if (this.#open.length > MAX_CSS_DEPTH || this.#top.weight > MAX_CSS_NESTING) return NOTHING;
    }
    const closers = this.#open.slice(1).map(({ close }) => CLOSERS.get(close) ?? '');
    const parts = this.#output.end(closers.reverse().join(''));
    noteNames(this.#context, this.#names);
    const { namespaces, declared } = this.#head;
    return { namespaces, declared, parts, ...this.#names };
  }

  get #top(): Open {
    return this.#open.at(-1) as Open; // the text itself is always open
  }

  /** Decides what a statement is where one begins; answers with the token to go on at. */
  #begin(at: number, type: number): number {
    const top = this.#top;
    if (!top.block || top.statement !== 'none' || type === TOKEN.rightCurly) return at;
    const root = this.#sheet && this.#open.length === 1;
    if (type === TOKEN.semicolon) {
      // There it begins a rule, without effect, of all that comes up to a block.
      if (root) this.#head.spoiled();
      return at;
    }
    // Left out: where the text is put into a block, they would spoil the rule after them.
    if (root && (type === TOKEN.cdo || type === TOKEN.cdc)) return this.#put(at, ' ') + 1;
    if (type === TOKEN.at) {
      top.statement = 'at';
      top.rule = nameOf(this.#tokens, at);
      const next = root ? this.#head.begin(this.#tokens, at, top.rule, this.#output) : at;
      if (next > at) top.statement = 'none';
      return next;
    }
    if (root) this.#head.ruleBegins();
    top.rule = '';
    this.#parents = 1;
    top.statement = isRule(this.#tokens, at, this.#open.length === 1) ? 'selector' : 'declaration';
    if (top.statement === 'declaration' && this.#context.fonts) {
      const around = this.#open.at(-2);
      const rule = around?.statement === 'at' ? around.rule : '';
      this.#fontEdits = declarationEdits(this.#tokens, at, rule, this.#names.fonts);
    }
    return at;
  }

  /** Takes one token over, changed or not; answers with the last token that is done. */
  #take(at: number, type: number): number {
    const top = this.#top;
    switch (type) {
      case TOKEN.url:
        return this.#url(at);
      case TOKEN.badUrl:
        return this.#put(at, 'url(x"x)');
      case TOKEN.string:
        return this.#string(at);
      case TOKEN.badString:
        return this.#put(at, '"\n');
      case TOKEN.function:
        return this.#function(at);
      case TOKEN.ident:
        return this.#ident(at);
      case TOKEN.at:
        return this.#atKeyword(at);
      case TOKEN.hash:
      case TOKEN.dimension:
        return this.#name(at);
      case TOKEN.leftRound:
        return this.#leftRound(at);
      case TOKEN.colon: {
        const change = this.#inSelector() ? rewritePseudoClass(this.#tokens, at) : undefined;
        return change === undefined ? at : this.#put(at, change, at + 1);
      }
      case TOKEN.leftSquare: {
        const change = this.#inSelector() && rewriteAttributeSelector(this.#tokens, at, this.#names.asked);
        if (change) return this.#put(at, change.text, change.end);
        this.#open.push(opened(TOKEN.rightSquare, { font: top.font }));
        return at;
      }
      case TOKEN.leftCurly: {
        const block = top.block && top.statement !== 'declaration';
        const font = top.font || (block && top.rule === 'font-face');
        const weight = top.statement === 'selector' ? Math.max(1, top.weight * this.#parents) : top.weight;
        this.#open.push(opened(TOKEN.rightCurly, { block, font, weight }));
        return at;
      }
      case TOKEN.comma:
      case TOKEN.delim:
        // A selector that does not name its parent has it all the same.
        if (this.#inSelector() && (type === TOKEN.comma || rawOf(this.#tokens, at) === '&')) this.#parents++;
        return at;
      case TOKEN.rightRound:
      case TOKEN.rightSquare:
      case TOKEN.rightCurly:
        return this.#close(at, type);
      case TOKEN.semicolon:
        if (top.block) top.statement = 'none';
        return at;
      default:
        return at;
    }
  }

  #close(at: number, type: number): number {
    const top = this.#top;
    if (top.close === type) {
      this.#open.pop();
      if (type === TOKEN.rightCurly && this.#top.block && this.#top.statement !== 'declaration')
        this.#top.statement = 'none';
      if (type === TOKEN.rightCurly && this.#open.length === 1) this.#endRule(at + 1);
      return at;
    }
    // A stray brace spoils the rule after it; so does this, and it cannot close a block that the text is put into.
    return type === TOKEN.rightCurly && this.#open.length === 1 ? this.#put(at, '!') : at;
  }

  /** A rule of the text itself ends before a token: the part does, when it has grown large. */
  #endRule(next: number): void {
    this.#head.ruleEnded();
    if (this.#sheet) this.#output.endLargePart(next);
  }

  #url(at: number): number {
    const raw = rawOf(this.#tokens, at);
    const value = urlOf(raw);
    const safe = this.#address(value);
    if (safe !== value) return this.#put(at, `url(${quote(safe)})`);
    return isClosedUrl(raw) ? at : this.#put(at, `${raw})`);
  }

  #string(at: number): number {
    const raw = rawOf(this.#tokens, at);
    const edit = this.#fontEdits?.get(at);
    if (edit !== undefined && isClosedString(raw)) return this.#put(at, edit);
    if (this.#top.addresses) {
      const value = stringOf(raw);
      const safe = this.#address(value);
      if (safe !== value) return this.#put(at, quote(safe));
    }
    return isClosedString(raw) ? at : this.#put(at, raw + (raw[0] as string)); // a string begins with its quote
  }

  #address(value: string): string {
    if (value.startsWith('#')) return value;
    const fragment = value.includes('#') ? localFragment(value, this.#context) : undefined;
    if (fragment !== undefined) return fragment;
    return value === '' ? NO_RESOURCE : resourceAddress(this.#top.font ? 'f' : 'i', value, this.#context);
  }

  #function(at: number): number {
    const name = nameOf(this.#tokens, at);
    const option = name.endsWith('image-set') ? substitutedOption(this.#tokens, at) : undefined;
    if (option) return this.#put(at, option.text, option.end);
    const addresses = ADDRESS_FUNCTIONS.has(name);
    this.#open.push(opened(TOKEN.rightRound, { font: this.#top.font, addresses, name }));
    if (BLOCKED_FUNCTIONS.has(name) || (addresses && !this.#addresses.areChecked(at, name))) {
      return this.#put(at, `${BLOCKED_NAME}(`);
    }
    return this.#name(at);
  }

  #ident(at: number): number {
    const edit = this.#fontEdits?.get(at);
    if (edit !== undefined) return this.#put(at, this.#exotic ? escaped(edit) : edit);
    if (this.#top.name === 'attr' && this.#tokens.types[before(this.#tokens, at)] === TOKEN.function) {
      const name = nameOf(this.#tokens, at);
      const isCopied = ORIGINALS.has(name) && !Object.hasOwn(SECRET_ATTRIBUTES, name);
      if (isCopied) this.#names.asked.add(name);
      return isCopied ? this.#put(at, ORIGINAL_PREFIX + name) : this.#name(at);
    }
    if (this.#renamed && this.#inSelector()) {
      const renamed = rewriteTypeSelector(this.#tokens, at);
      if (renamed !== undefined) return this.#put(at, renamed);
    } else if (this.#blocked && this.#tokens.types[skipSpace(this.#tokens, at + 1)] === TOKEN.colon) {
      if (BLOCKED_PROPERTIES.has(nameOf(this.#tokens, at))) return this.#put(at, BLOCKED_NAME);
    }
    return this.#name(at);
  }

  #atKeyword(at: number): number {
    const name = nameOf(this.#tokens, at);
    // Where it means nothing it must not come to mean something by being moved.
    return name === 'import' || name === 'namespace' || name === 'charset'
      ? this.#put(at, `@${BLOCKED_NAME}`)
      : this.#name(at);
  }

  /** Takes a token with a name over; names with characters that tokenizers disagree on are escaped. */
  #name(at: number): number {
    if (!this.#exotic) return at;
    const raw = rawOf(this.#tokens, at);
    if (!EXOTIC.test(raw)) return at;
    return this.#put(at, escaped(raw));
  }

  #leftRound(at: number): number {
    const { types } = this.#tokens;
    const before = types[at - 1];
    // `1url(`, `#url(`, `@url(`: should a browser read the first token shorter, the rest must not be an address.
    const isGlued =
      before === TOKEN.dimension || before === TOKEN.hash || before === TOKEN.at || before === TOKEN.number;
    const apart = !isGlued ? '' : endsAsFunction(nameOf(this.#tokens, at - 1)) ? APART : '/**/';
    const { name, block, rule } = this.#top;
    const isMedia = !this.#context.still && name !== 'supports' && !(block && rule === 'supports');
    const scripting = isMedia ? scriptingQuery(this.#tokens, at) : undefined;
    if (scripting) return this.#put(at, apart + scripting.text, scripting.end);
    this.#open.push(opened(TOKEN.rightRound, { font: this.#top.font }));
    return isGlued ? this.#put(at, `${apart}(`) : at;
  }

  /** Whether a selector is being read, and the innermost thing open in it holds selectors. */
  #inSelector(): boolean {
    for (let depth = this.#open.length - 1; depth >= 0; depth--) {
      const open = this.#open[depth] as Open; // within bounds
      if (open.block) return open.statement === 'selector';
      if (!SELECTOR_FUNCTIONS.has(open.name)) return false;
    }
    return false;
  }

  #put(at: number, text: string, last = at): number {
    return this.#output.put(at, text, last);
  }

  #closeComment(at: number): void {
    const raw = rawOf(this.#tokens, at);
    if (this.#tokens.types[at] === TOKEN.comment && (raw.length < 4 || !raw.endsWith('*/'))) this.#put(at, `${raw}*/`);
  }
}
