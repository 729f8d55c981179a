import { setTimeout as delay } from 'node:timers/promises';
import type { HostScope, InputTurn } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { pageCaret, pagePatch, pageState, patched } from '../protocol.ts';
import type { Patch, TextEdit } from '../protocol.ts';
import { command } from './command.ts';

/** Time that a page has to handle a replacement, in ms; past it, as while it shows a dialog, the next one goes out all the same. */
const HANDLE_MS = 3000;

/** Replaces in the page what the person's browser has replaced in the view: the page half finds it, and the text is typed. */
export class TextEdits {
  readonly #scope: HostScope<typeof manifest>;

  constructor(scope: HostScope<typeof manifest>) {
    this.#scope = scope;
  }

  /** Takes an edit. It is answered in any case. */
  async take({ edit, target, patches }: TextEdit): Promise<void> {
    const { input, page, commands } = this.#scope;
    await input.enqueue((turn) => this.#apply(turn, { target, patches }));
    const state = await page.call(target.frame, pageState, { isFlushed: true }).catch(() => undefined); // its frame may be gone
    commands.send(patched, { edit }, state && { after: [target.frame, state.epoch, state.seq] });
  }

  async #apply(turn: InputTurn, { target, patches }: Pick<TextEdit, 'target' | 'patches'>): Promise<void> {
    const { page, records } = this.#scope;
    let last = 0;
    for (const patch of patches) {
      const { shift } = await page.call(target.frame, pagePatch, { target, patch, shift: last });
      records.count(shift === null ? 'unmatched' : 'replaced', 1);
      if (shift === null) {
        last += patch.old.length - patch.text.length;
        continue;
      }
      last = shift;
      const typed = type(turn, patch).catch(() => undefined); // the page has gone
      await Promise.race([typed, delay(HANDLE_MS, undefined, { ref: false })]);
      await page.call(target.frame, pageCaret, undefined);
    }
  }
}

function type(turn: InputTurn, { text }: Patch): Promise<void> {
  return text === '' ? command(turn, 'DeleteBackward') : turn.send('Input.insertText', { text });
}
