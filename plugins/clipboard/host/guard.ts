import { toAppError } from '../../../host/plugin.ts';
import type { Frame, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { permitted } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { frameRules, guard } from '../protocol.ts';
import type { ClipboardContent } from './clipboard.ts';
import { frameWithFocus } from './focus.ts';
import { claimedAddresses, isSamePolicy, knownAddresses, MAIN_FRAME, policyOf } from './rules.ts';

/** Time for which the guard message to a page is waited for, in ms; one that hangs gets it later, or with its next document. */
const GUARD_DEADLINE_MS = 1000;
/** State of a page half that has been sent nothing, and of one that may have got what it was sent. */
const OPEN = stateOf({ copy: true, paste: true });
const UNKNOWN = '';
/** Policies of frames that are gone that are kept. */
const MAX_LEFT = 20;

/**
 * The policy of each frame of a tab. Page halves, and the client, hear of it before the frame shows anything, where it is not what they take it to
 * be by themselves.
 */
export class FrameGuard {
  readonly #scope: HostScope<typeof manifest>;
  /** Policies of the frames that have another one than the page. */
  readonly #own = new Map<number, CopyPaste>();
  /** State of the page halves that have been sent one. */
  readonly #sent = new Map<number, string>();
  /** Policies that frames had until they went, or went elsewhere, the latest, with the time of that. */
  #left: readonly { readonly rules: CopyPaste; readonly at: number }[] = [];
  #hasTold = false;

  constructor(scope: HostScope<typeof manifest>) {
    this.#scope = scope;
    const { tab, frames, hooks } = scope;
    frames.onReady(({ id }) => {
      this.#sent.delete(id);
      void this.#refresh(id);
    });
    frames.onGone((id) => {
      this.#sent.delete(id);
      this.#setOwn(id, undefined);
    });
    hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
      // The page half of another document is yet to come.
      if (!sameDocument) this.#sent.delete(frame);
      void this.#refreshAll(
        frames.all().filter(({ id }) => frame === MAIN_FRAME || this.#isWithin(id, frame)),
        sameDocument ? undefined : frame,
      );
    });
    hooks.tap(tab.hooks.policyChanged, () => void this.#refreshAll(frames.all()));
    hooks.tap(tab.hooks.addressChanged, () => void this.#refreshAll(frames.all()));
    hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
      // One that has lost messages may hold what is over.
      if (fresh && this.#hasTold) for (const { id } of frames.all()) this.#tellClient(id);
    });
  }

  /** The policy of a frame, as far as its own process says where it is. */
  of(frame: number): CopyPaste {
    return this.#own.get(frame) ?? policyOf(this.#scope);
  }

  /** Whether a frame may have another policy than the page. */
  get mayDiffer(): boolean {
    return this.#own.size > 0 || this.#scope.frames.all().length > 1;
  }

  /** A policy against copying that a frame had, within the last so many ms, until it went, or went elsewhere. */
  leftWithin(ms: number): CopyPaste | undefined {
    return this.#left.find(({ rules, at }) => !rules.copy && performance.now() - at <= ms)?.rules;
  }

  /** The policy of a frame, wherever its process says that it is. Never rejects. */
  async check(frame: number): Promise<CopyPaste> {
    return policyOf(this.#scope, await knownAddresses(this.#scope, frame));
  }

  /** The policy of the frame that has the focus; the strictest of all, where none says that it does. Never rejects. */
  async atFocus(): Promise<CopyPaste> {
    const frames = this.#scope.frames.all();
    const found = await Promise.all(frames.map(async ({ id }) => [id, await knownAddresses(this.#scope, id)] as const));
    const policyAt = (all: typeof found): CopyPaste =>
      policyOf(this.#scope, [...new Set(all.flatMap(([, own]) => own))]);
    const strictest = policyAt(found);
    if (isSamePolicy(strictest, policyOf(this.#scope))) return strictest;
    const focused = await frameWithFocus(this.#scope, frames);
    return focused === undefined ? strictest : policyAt(found.filter(([id]) => id === focused));
  }

  /** Lets the frames that may paste all of this do so while something runs: which of them has the focus only Chromium knows. */
  letPaste(content: ClipboardContent, run: () => Promise<void>): Promise<void> {
    const frames = this.#scope.frames.all().filter(({ id }) => {
      const rules = this.of(id);
      return rules.pasteLimit !== undefined && isWhole(rules, content);
    });
    return this.#guardWhile(
      frames.map(({ id }) => id),
      true,
      run,
    );
  }

  /** Keeps all frames from pasting while something runs. */
  withholdPaste(run: () => Promise<void>): Promise<void> {
    return this.#guardWhile(
      this.#scope.frames.all().map(({ id }) => id),
      false,
      run,
    );
  }

  async #guardWhile(frames: readonly number[], mayPaste: boolean, run: () => Promise<void>): Promise<void> {
    const tellAll = (paste?: boolean): Promise<unknown> => Promise.all(frames.map((id) => this.#guard(id, paste)));
    await tellAll(mayPaste);
    try {
      await run();
    } finally {
      await tellAll();
    }
  }

  /** Has everybody know the policies of frames; not the page half of `without`. */
  async #refreshAll(frames: readonly Frame[], without?: number): Promise<void> {
    const addresses = await Promise.all(frames.map(({ id }) => claimedAddresses(this.#scope, id)));
    const strictest = policyOf(this.#scope, [...new Set(addresses.flat())]);
    const isOpen = stateOf(permittedBy(strictest)) === OPEN && this.#own.size + this.#sent.size === 0;
    if (isOpen) return;
    const policies = new Map<string, CopyPaste>(); // most frames of a page are of a few sites
    await Promise.all(frames.map(({ id }) => this.#refresh(id, id !== without, policies)));
  }

  /** Has everybody know the policy of a frame; its page half only if `hasHalf`. `policies`: those that are known, by addresses. */
  async #refresh(frame: number, hasHalf = true, policies = new Map<string, CopyPaste>()): Promise<void> {
    const addresses = await claimedAddresses(this.#scope, frame);
    if (!this.#scope.frames.get(frame)) return;
    const known = (of: readonly string[]): CopyPaste => {
      const key = of.join(' ');
      const policy = policies.get(key) ?? policyOf(this.#scope, of);
      policies.set(key, policy);
      return policy;
    };
    const rules = known(addresses);
    this.#setOwn(frame, isSamePolicy(rules, known([])) ? undefined : rules);
    if (hasHalf && stateOf(permittedBy(rules)) !== (this.#sent.get(frame) ?? OPEN)) await this.#guard(frame);
  }

  #setOwn(frame: number, rules: CopyPaste | undefined): void {
    if (JSON.stringify(rules) === JSON.stringify(this.#own.get(frame))) return;
    const before = this.#own.get(frame);
    if (before) this.#left = [{ rules: before, at: performance.now() }, ...this.#left].slice(0, MAX_LEFT);
    if (rules) this.#own.set(frame, rules);
    else this.#own.delete(frame);
    this.#tellClient(frame);
  }

  #tellClient(frame: number): void {
    this.#hasTold = true;
    const own = this.#own.get(frame);
    if (!own) {
      this.#scope.commands.send(frameRules, { frame, rules: null });
      return;
    }
    const { pasteLimit, ...rules } = own;
    this.#scope.commands.send(frameRules, {
      frame,
      rules: { ...rules, ...(pasteLimit !== undefined && { pasteLimit }) },
    });
  }

  /** Tells a frame what it may do; `paste`: whether what is pasted next has been permitted, or is withheld. */
  async #guard(frame: number, paste?: boolean): Promise<void> {
    const may = permittedBy(this.of(frame), paste);
    const state = stateOf(may);
    this.#sent.set(frame, state);
    try {
      await this.#scope.page.call(frame, guard, may, { deadlineMs: GUARD_DEADLINE_MS });
    } catch (thrown) {
      // Its next document is awaited: it gets this where it stays.
      if (toAppError(thrown).code === 'document-awaited') this.#scope.page.send(frame, guard, may);
      // Where it hangs the message may still arrive.
      if (this.#sent.get(frame) !== state) return;
      if (this.#scope.frames.get(frame)) this.#sent.set(frame, UNKNOWN);
      else this.#sent.delete(frame);
    }
  }

  #isWithin(frame: number, outer: number): boolean {
    const { frames } = this.#scope;
    for (let at = frames.get(frame); at; at = frames.get(at.parent)) if (at.id === outer) return true;
    return false;
  }
}

function permittedBy(
  { copy, pasteLimit }: CopyPaste,
  paste = pasteLimit === undefined,
): { readonly copy: boolean; readonly paste: boolean } {
  return { copy, paste };
}

function stateOf({ copy, paste }: ReturnType<typeof permittedBy>): string {
  return `${copy} ${paste}`;
}

/** Whether a policy lets all of something pass. */
function isWhole(rules: CopyPaste, content: ClipboardContent): boolean {
  const verdict = permitted(rules, content);
  const isNothing = Object.keys(content).length === 0;
  return isNothing || ('content' in verdict && Object.keys(content).every((kind) => kind in verdict.content));
}
