import { toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, ParamsOf, ResultOf } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { editorSeq, editorSeqDone, lechoHash, pageDigest, pageMark, precheck, precheckFailure } from '../protocol.ts';

/** A page that does not say within this time how far it is hangs: what was typed is taken for handled, as the view has it. */
const MARK_DEADLINE_MS = 3000;
/** Longest time for which later input waits, in ms: until the page has handled the last key, and again for its answer, a slow frame or two. */
const LONGEST_HOLD_MS = 200;
/** Questions of a client that the page is asked at a time. Ours has fewer; further ones are answered without it. */
const MOST_OPEN = 32;
/** Errors of a frame that has gone, or hangs. */
const LOST = ['call-timeout', 'document-awaited', 'frame-gone', 'cdp-closed', 'cdp-error', 'cdp-timeout'];

/** Tells the client how far the page is with what the person has typed (M-078). */
export const activate: ActivateHost<typeof manifest> = ({ commands, input, log, page, records }) => {
  const gone = (thrown: unknown): undefined => {
    const { code, message } = toAppError(thrown);
    if (!LOST.includes(code)) log.warn('a page half does not answer', { code, reason: message });
    return undefined;
  };

  let open = 0;
  /** Undefined where the page does not answer, or too much is asked of it. */
  const ask = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    if (open >= MOST_OPEN) return undefined;
    open += 1;
    try {
      return await question();
    } catch (thrown) {
      return gone(thrown);
    } finally {
      open -= 1;
    }
  };

  const compare = async ({ target, length, hash }: ParamsOf<typeof precheck>): Promise<void> => {
    const found = await ask(async () => {
      await input.handled();
      return page.call(target.frame, pageDigest, { target }, { deadlineMs: MARK_DEADLINE_MS });
    });
    if (!found || (found.length === length && found.hash === hash)) return;
    const after = [target.frame, found.epoch, found.seq] as const;
    commands.send(precheckFailure, { target, length: found.length, hash: found.hash }, { after });
  };

  type Mark = ResultOf<typeof pageMark>;
  const mark = async (frame: number, isRich: boolean): Promise<Mark> => {
    await input.handled();
    return page.call(frame, pageMark, { isRich }, { deadlineMs: MARK_DEADLINE_MS });
  };
  /** The mark of the page before it gets any later input; undefined where it does not answer soon. */
  const exactMark = async (frame: number, isRich: boolean): Promise<Mark | undefined> => {
    let at: Mark | undefined;
    const hold = async (): Promise<void> => {
      at = await page.call(frame, pageMark, { isRich }, { deadlineMs: LONGEST_HOLD_MS }).catch(gone);
    };
    await input.enqueue(hold, { patienceMs: LONGEST_HOLD_MS });
    return at;
  };

  commands.handle(editorSeq, async ({ frame, seq, isRich, is_exact: isExact, echoed, wrong }) => {
    records.count('echoed', echoed);
    records.count('wrong', wrong);
    const exact = isExact ? await ask(() => exactMark(frame, isRich)) : undefined;
    const at = exact ?? (await ask(() => mark(frame, isRich)));
    const done = { seq, is_exact: exact !== undefined };
    commands.send(editorSeqDone, done, at ? { after: [frame, at.epoch, at.seq] } : {});
  });
  commands.handle(precheck, (check) => compare(check));
  commands.handle(lechoHash, ({ target, length, hash }) => compare({ target, length, hash }));
};
