import { slot } from '../../../core/index.ts';
import type { ClientScope, SlotContribution, Texts } from '../../../core/index.ts';
import type { BlockedFile } from '../protocol.ts';
import type { NoticeProps } from './notice.tsx';
import type { PasswordProps } from './password.tsx';

const confirmSlot = slot<NoticeProps>('uploads.confirm', 'dialog');
const noticeSlot = slot<NoticeProps>('uploads.notice', 'dialog');
const notice: SlotContribution<NoticeProps> = { load: () => import('./notice.tsx') };
const passwordSlot = slot<PasswordProps>('uploads.password', 'dialog');
const password: SlotContribution<PasswordProps> = { load: () => import('./password.tsx') };

type Words = Omit<NoticeProps, 'done'>;

/** The questions and notices about uploads (M-007). */
export class Dialogs {
  readonly #slots: ClientScope['slots'];
  readonly #texts: Texts;
  readonly #signal: AbortSignal;

  constructor(slots: ClientScope['slots'], texts: Texts, signal: AbortSignal) {
    this.#slots = slots;
    this.#texts = texts;
    this.#signal = signal;
  }

  /** Asks the person to choose files now: the answer is an act of theirs. */
  async confirm(over: AbortSignal): Promise<boolean> {
    const words = this.#words('confirm', 'confirm-no', 'confirm-yes');
    return (await this.#slots.ask(confirmSlot, notice, words, over)) === true;
  }

  async disabled(site: string): Promise<void> {
    const words = { ...this.#words('disabled', 'ok'), text: this.#texts.text('uploads.disabled-text', { site }) };
    await this.#slots.ask(noticeSlot, notice, words, this.#signal);
  }

  /** Says why files are blocked, and asks whether the others go on where there are some. */
  async blocked(
    name: string,
    { reason, message }: BlockedFile,
    { more, most, canGoOn }: BlockedFacts,
    over: AbortSignal,
  ): Promise<boolean> {
    const said = this.#texts.text(`uploads.${reason}`, { most });
    const why = reason === 'quarantined' ? `${message ?? ''} ${said}`.trim() : (message ?? said);
    const text = this.#texts.text(more === 0 ? 'uploads.blocked-one' : 'uploads.blocked-several', {
      name,
      more,
      reason: why,
    });
    const words = canGoOn ? this.#words('blocked', 'stop', 'go-on') : this.#words('blocked', 'ok');
    const shown = { ...words, text: reason === 'too-many' ? why : text };
    return (await this.#slots.ask(noticeSlot, notice, shown, over)) === true;
  }

  /** Resolves with the password of a file; undefined where the person gives none, or the upload is over. */
  async password(filename: string, isAgain: boolean, over: AbortSignal): Promise<string | undefined> {
    const props = { filename, isAgain, texts: this.#texts };
    return (await this.#slots.ask(passwordSlot, password, props, over)) ?? undefined;
  }

  /** The words of a notice, by the names of its texts. */
  #words(name: string, no: string, yes?: string): Words {
    const say = (id: string): string => this.#texts.text(`uploads.${id}`);
    const [title, text] = [say(`${name}-title`), say(`${name}-text`)];
    return { title, text, no: say(no), yes: yes === undefined ? undefined : say(yes) };
  }
}

interface BlockedFacts {
  /** Further files that are blocked. */
  readonly more: number;
  /** The limit, with `too-large` and `too-many`. */
  readonly most: number | string;
  readonly canGoOn: boolean;
}
