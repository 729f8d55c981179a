import { toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope, InputTurn } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { permitted, readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { displayCopyPasteModal, execCommand, guard, paste, refused } from '../protocol.ts';
import type { Command, Refusal } from '../protocol.ts';
import { clipboardToken } from './clipboard.ts';
import type { ClipboardContent, HeldClipboard } from './clipboard.ts';
import { Incoming } from './incoming.ts';
import { pressKey } from './keys.ts';
import type { Shortcut } from './keys.ts';
import { Outgoing } from './outgoing.ts';
import { keyOf, NOTHING, SharedClipboard } from './shared.ts';

/** Presses the shortcut that it is all about. */
type Press = () => Promise<void>;

/** Timeout of the guard message to a page, in ms; a page that hangs gets it with its next document. */
const GUARD_DEADLINE_MS = 1000;

/**
 * Copies and pastes for one tab. The surrogate has a clipboard of its own, which no page reads without the person: what the person pastes
 * is put there, the page is told to paste by a trusted key, and it is emptied again. What the page copies is read from there (`outgoing.ts`).
 * The policy is decided here (S-092); the client's word counts for nothing.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { tab, commands, frames, input, log } = scope;
  const clipboard = scope.services.get(clipboardToken);
  const incoming = new Incoming();
  scope.onDispose(() => incoming.dispose());
  scope.hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) incoming.dispose();
  });
  const shared = SharedClipboard.of(clipboard);
  scope.onDispose(shared.join(input.gesture));
  const refuse = (action: Refusal['action'], reason: Refusal['reason']): void =>
    commands.send(refused, { action, reason });
  const policy = (): CopyPaste => policyOf(scope);
  const outgoing = new Outgoing(scope, {
    ...{ clipboard, shared, gesture: input.gesture, policy },
    refuse: () => refuse('copy', policy().isUnreadable ? 'no-policy' : 'policy'),
  });

  /** Puts something into the clipboard, has the page paste it, and takes it out again: no other page of the person is to find it there. */
  const insert = async (inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> => {
    await inHand.write(content);
    shared.seen = NOTHING;
    try {
      await letPaste(scope, press);
    } finally {
      await inHand.write({});
    }
  };

  /** The same with as much of it as may be pasted, into the page that is there when it is its turn. */
  const insertPermitted = async (inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> => {
    const verdict = permitted(policy(), content);
    if ('reason' in verdict) refuse('paste', verdict.reason);
    else await insert(inHand, verdict.content, press);
  };

  /**
   * Has the page paste what the clipboard holds, where that is what the client was told last, or reads as `text` does. False: it is something
   * else, which another page may have put there since.
   */
  const insertOwn = async (inHand: HeldClipboard, text: string | undefined, press: Press): Promise<boolean> => {
    const own = await inHand.read();
    const key = keyOf(own);
    const isTold = key !== NOTHING && key === outgoing.toldKey;
    if (!isTold && (text === undefined || own.text?.replaceAll('\r\n', '\n') !== text)) return false;
    if (policy().pasteLimit === undefined) await press();
    else await insertPermitted(inHand, own, press);
    return true;
  };

  const run: Readonly<Record<Exclude<Command, 'pre-paste'>, (press: Press) => Promise<void>>> = {
    copy: (press) => press(),
    cut: (press) => press(),
    paste: (press) =>
      clipboard.use(async (inHand) => {
        const isPasted = await insertOwn(inHand, undefined, press);
        if (!isPasted) commands.send(displayCopyPasteModal, undefined);
      }),
    'empty-paste': (press) => clipboard.use((inHand) => insert(inHand, {}, press)),
  };

  /** Does something in the order of the person's input; what goes wrong with it is the host's to know, and the person's. */
  const inOrder = (action: Refusal['action'], shortcut: Shortcut, work: (press: Press) => Promise<void>): void => {
    const apply = async (turn: InputTurn): Promise<void> => {
      try {
        await work(() => pressKey(turn, log, shortcut));
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        log.warn(`the page could not ${action}`, { code, error: message });
        refuse(action, 'unusable');
      }
    };
    void input.enqueue(apply, { afterKeys: true });
  };

  commands.handle(paste, (request, body) => {
    const { text, html, rtf, picture, own, plain, by_key: byKey, meta } = request;
    const shortcut: Shortcut = { command: plain ? 'pasteAndMatchStyle' : 'paste', byKey, meta };
    const arriving = incoming.expect(request, body);
    inOrder('paste', shortcut, async (press) => {
      const content = await arriving;
      await clipboard.use(async (inHand) => {
        if (own && (await insertOwn(inHand, content?.text, press))) return;
        if (content) await insertPermitted(inHand, content, press);
        else if (text + html + rtf + picture > 0) refuse('paste', 'unusable');
      });
    });
  });
  commands.handle(execCommand, ({ command, by_key: byKey }) => {
    if (command === 'pre-paste') {
      clipboard.warm();
      return;
    }
    const key = command === 'empty-paste' ? 'paste' : command;
    inOrder(key === 'paste' ? 'paste' : 'copy', { command: key, byKey, meta: false }, run[command]);
  });

  let isGuarded = false;
  const guardAll = (): void => {
    const isNeeded = isRestricted(policy());
    if (isNeeded || isGuarded) for (const { id } of frames.all()) void guardFrame(scope, id, false);
    isGuarded = isNeeded;
  };
  frames.onReady(({ id }) => {
    if (!isRestricted(policy())) return;
    isGuarded = true;
    void guardFrame(scope, id, false);
  });
  scope.hooks.tap(tab.hooks.navigated, ({ frame }) => {
    if (frame === 1) guardAll(); // another site may have another policy
  });
  scope.hooks.tap(tab.hooks.policyChanged, guardAll);
};

function policyOf({ tab, log }: HostScope<typeof manifest>): CopyPaste {
  try {
    return readPolicy(tab.policy().copy_paste);
  } catch (thrown) {
    log.error('the policy of copying and pasting cannot be read', { error: toAppError(thrown).message });
    return readPolicy(undefined);
  }
}

function isRestricted({ copy, pasteLimit }: CopyPaste): boolean {
  return !copy || pasteLimit !== undefined;
}

/** Tells a frame what it may do; `mayPaste`: what is pasted next has been permitted. */
async function guardFrame(scope: HostScope, frame: number, mayPaste: boolean): Promise<void> {
  const { copy, pasteLimit } = policyOf(scope);
  const told = { copy, paste: mayPaste || pasteLimit === undefined };
  await scope.page.call(frame, guard, told, { deadlineMs: GUARD_DEADLINE_MS }).catch(() => undefined); // it is gone, or hangs
}

/** Lets all frames paste while something runs: which of them has the focus only Chromium knows. */
async function letPaste(scope: HostScope, run: () => Promise<void>): Promise<void> {
  if (policyOf(scope).pasteLimit === undefined) return run();
  const tellAll = (mayPaste: boolean): Promise<unknown> =>
    Promise.all(scope.frames.all().map(({ id }) => guardFrame(scope, id, mayPaste)));
  await tellAll(true);
  try {
    await run();
  } finally {
    await tellAll(false);
  }
}
