import type { Editable } from '../../../core/index.ts';
import { isSame, predict } from './acts.ts';
import type { Act } from './acts.ts';
import { InputState, MODE } from './input-state.ts';
import type { Mode, Pending } from './input-state.ts';
import type { Trust } from './trust.ts';

/** Time after which nothing is shown ahead of the page any more, in ms, until it answers again. */
const LONGEST_MS = 10_000;

interface EchoOptions {
  /** The editable with the focus, if typing in it may be echoed. */
  readonly focused: () => Editable | undefined;
  readonly trust: Trust;
  /** Acts that are shown ahead of the page (max_typeahead). */
  readonly maxTypeahead: number;
  /**
   * Asks for the page's answer to all acts up to `seq`. `isExact`: later ones are to wait until the page has answered, so that what it has then
   * is the outcome of these alone.
   */
  readonly ask: (seq: number, field: Editable | undefined, isExact: boolean) => void;
  /** An act was shown at once. */
  readonly echoed?: () => void;
  /** The page has answered an act otherwise than it was shown. */
  readonly wrong?: (field: Editable, act: Act) => void;
  /** All that was shown in a field has been answered by the page. */
  readonly settled?: (field: Editable) => void;
  readonly now?: () => number;
}

/**
 * Shows what the person types in the editable with the focus before the page has answered. The keys go to the page all the same, and the page has
 * the last word: each of its answers confirms what is shown after some act, or takes all of it back.
 */
export class LocalEcho {
  readonly #options: EchoOptions;
  readonly #state = new InputState();
  #seq = 0;
  #field: Editable | undefined;
  /** The last act that was asked about exactly, until there is an answer, and the field that it was done in. */
  #exact: { readonly seq: number; readonly field: Editable } | undefined;

  constructor(options: EchoOptions) {
    this.#options = options;
  }

  get mode(): Mode {
    return this.#state.mode;
  }

  /** The field in which something is shown ahead of the page. */
  get field(): Editable | undefined {
    return this.#field;
  }

  /** Time since which the page has not answered what is shown, in ms of `performance.now()`; undefined where nothing is. */
  get waitsSince(): number | undefined {
    return this.#state.ahead[0]?.at;
  }

  /** The person has done something that was sent to the page. */
  act(act: Act): void {
    const at = this.#now();
    if (this.#state.pending.some((each) => at - each.at > LONGEST_MS)) this.#forget();
    const seq = (this.#seq += 1);
    const { after, guess } = this.#show(act);
    this.#state.add({ seq, act, after, guess, at });
    if (after) this.#options.echoed?.();
    // Somebody goes on typing where nothing is shown at once: what the page has after this act is what that goes on from.
    const field = this.#options.focused();
    const isExact = !after && act.kind !== 'other' && !this.#exact && this.#mayShow(field);
    if (isExact && field) this.#exact = { seq, field };
    this.#options.ask(seq, field, isExact);
  }

  /** The view has drawn changes of the page. */
  drawn(): void {
    const { remote, shown } = this.#state;
    const field = this.#field;
    if (!field || !remote || !shown) return;
    const page = field.isThere() ? field.page() : undefined;
    if (!page) this.#takeBack();
    else if (isSame(page, remote)) this.#again(field);
    else if (this.#state.confirm(page) || this.#state.isHalfway(page)) this.#again(field);
    else this.#contradicted(field, this.#state.culprit(page));
  }

  /**
   * The page has handled all acts up to this one, and the view has drawn what has changed by them. `isExact`: it had got no later one before it
   * answered.
   */
  handled(seq: number, isExact = false): void {
    const exact = this.#exact;
    if (exact && seq >= exact.seq) this.#exact = undefined;
    // The answer is that of the field in which it was asked for, as long as that has the focus.
    const field = isExact && exact?.field === this.#options.focused() ? exact?.field : undefined;
    const all = this.#state.settle(seq);
    if (field) this.#learn(field, all.at(-1));
    const settled = all.filter(({ isConfirmed }) => isConfirmed !== true);
    const last = settled.findLast(({ after }) => after);
    const { remote } = this.#state;
    if (last?.after && remote && this.#field && !isSame(last.after, remote)) {
      const page = this.#field.page();
      if (page && !isSame(page, remote))
        this.#contradicted(this.#field, settled.every(({ after }) => after) ? last : undefined);
      else this.#refused(this.#field, settled);
    }
    if (this.#state.pending.length > 0) {
      if (field && this.#state.isBlocked) this.#resume(field);
      return;
    }
    this.#state.mode = MODE.local;
    this.#release();
  }

  /** Nothing is shown ahead of the page any more. */
  stop(): void {
    if (this.#field) this.#takeBack();
  }

  /** Shows an act, where that can be known; an outcome that is only guessed is not shown. */
  #show(act: Act): Partial<Pick<Pending, 'after' | 'guess'>> {
    const { trust, maxTypeahead, focused } = this.#options;
    const state = this.#state;
    if (act.kind === 'other' || state.isBlocked) return {};
    const field = focused();
    if (!field || field.isHeld || (this.#field && field !== this.#field)) return {};
    const isUnknown = trust.isUnknown(field, act);
    if (!isUnknown && !trust.allows(field, act)) return {};
    if (state.ahead.length >= maxTypeahead) {
      state.mode = MODE.overflow;
      return {};
    }
    const remote = state.remote ?? field.page();
    const before = state.shown ?? remote;
    const after = before && predict(before, act, field);
    if (isUnknown) return { guess: after };
    if (!after || !field.show(after)) return {};
    state.remote = remote;
    this.#field = field;
    return { after };
  }

  /** Whether anything can be shown ahead of the page in a field. */
  #mayShow(field: Editable | undefined): boolean {
    if (!field || field.isHeld || (this.#field && field !== this.#field)) return false;
    return !this.#options.trust.isExcluded(field);
  }

  /** The page has answered an act that was only guessed, and no later one. */
  #learn(field: Editable, last: Pending | undefined): void {
    const page = last?.guess && field.page();
    if (last?.guess && page) this.#options.trust.learn(field, last.act, isSame(page, last.guess));
  }

  /** Shows what was typed while nothing was shown at once, on what the page has: it has none of that yet. */
  #resume(field: Editable): void {
    const { trust, maxTypeahead } = this.#options;
    const { pending } = this.#state;
    if (!this.#mayShow(field) || pending.length > maxTypeahead) return;
    const page = field.page();
    let state = page;
    const again = pending.map((each): Pending => {
      state = state && trust.allows(field, each.act) ? predict(state, each.act, field) : undefined;
      return { ...each, after: state };
    });
    if (!page || !state || !field.show(state)) return;
    this.#state.resume(page, again);
    this.#field = field;
  }

  /** The page has another text than that after any act, or its caret elsewhere. */
  #contradicted(field: Editable, culprit: Pending | undefined): void {
    this.#takeBack();
    if (culprit) this.#wrong(field, culprit.act);
  }

  /** Changes that were drawn may have taken the place of the text that was shown. */
  #again(field: Editable): void {
    const { shown } = this.#state;
    if (shown && (field.isHeld || !field.show(shown))) this.#takeBack();
  }

  /** The page has handled acts and has done nothing: what was typed later is shown on what it has. */
  #refused(field: Editable, settled: readonly Pending[]): void {
    const first = settled.find(({ after }) => after);
    const left = this.#state.pending;
    let state = this.#state.remote;
    const again = left.map((each): Pending => {
      state = state && each.after && predict(state, each.act, field);
      return { ...each, after: state };
    });
    this.#state.pending = again;
    if (state && left.length > 0) this.#again(field);
    else if (left.length > 0) this.#takeBack();
    if (first) this.#wrong(field, first.act);
  }

  #wrong(field: Editable, act: Act): void {
    this.#options.wrong?.(field, act);
    if (this.#options.trust.wrong(field, act)) this.#takeBack();
  }

  #takeBack(): void {
    this.#state.takeBack(this.#state.pending.length > 0 ? MODE.remote : MODE.local);
    this.#leave(this.#field);
  }

  #release(): void {
    const field = this.#field;
    this.#state.remote = undefined;
    this.#leave(field);
    if (field) this.#options.settled?.(field);
  }

  /** An input method that composes in it meanwhile holds it, and shows the page's text later. */
  #leave(field: Editable | undefined): void {
    if (field?.isHeld === false) field.release();
    this.#field = undefined;
  }

  /** No answer has come for long: nothing is shown at once until there is one. */
  #forget(): void {
    this.#takeBack();
    this.#exact = undefined;
    this.#state.pending = [{ seq: this.#seq, act: { kind: 'other' }, after: undefined, at: this.#now() }];
    this.#state.mode = MODE.remote;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}
