import { inputOrderToken, toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
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

/** How long a page may take to let itself be told what it may do, in ms; one that hangs is told with its next document. */
const GUARD_DEADLINE_MS = 1000;

/**
 * Copies and pastes for one tab. The surrogate has a clipboard of its own, which no page reads without the person: what the person pastes
 * is put there, the page is told to paste by a trusted key, and it is emptied again. What the page copies is read from there (`outgoing.ts`).
 * The policy is decided here (S-092); the client's word counts for nothing.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { tab, commands, frames, log } = scope;
  const clipboard = scope.services.get(clipboardToken);
  const input = scope.services.get(inputOrderToken);
  const incoming = new Incoming();
  scope.onDispose(() => incoming.dispose());
  scope.hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) incoming.dispose();
  });
  const shared = SharedClipboard.of(clipboard);
  scope.onDispose(shared.join(input));
  const refuse = (action: Refusal['action'], reason: Refusal['reason']): void =>
    commands.send(refused, { action, reason });
  const policy = (): CopyPaste => policyOf(scope);
  const outgoing = new Outgoing(scope, {
    ...{ clipboard, shared, input, policy },
    refuse: () => refuse('copy', policy().isUnreadable ? 'no-policy' : 'policy'),
  });

  /** Puts something into the clipboard, has the page paste it, and takes it out again: no other page of the person is to find it there. */
  const insert = async (inHand: HeldClipboard, content: ClipboardContent, shortcut: Shortcut): Promise<void> => {
    await inHand.write(content);
    shared.seen = NOTHING;
    try {
      await letPaste(scope, () => pressKey(scope, shortcut));
    } finally {
      await inHand.write({});
    }
  };

  /** The same with as much of it as may be pasted, into the page that is there when it is its turn. */
  const insertPermitted = async (
    inHand: HeldClipboard,
    content: ClipboardContent,
    shortcut: Shortcut,
  ): Promise<void> => {
    const verdict = permitted(policy(), content);
    if ('reason' in verdict) refuse('paste', verdict.reason);
    else await insert(inHand, verdict.content, shortcut);
  };

  /**
   * Has the page paste what the clipboard holds, where that is what the client was told last, or reads as `text` does. False: it is something
   * else, which another page may have put there since.
   */
  const insertOwn = async (inHand: HeldClipboard, text: string | undefined, shortcut: Shortcut): Promise<boolean> => {
    const own = await inHand.read();
    const key = keyOf(own);
    const isTold = key !== NOTHING && key === outgoing.toldKey;
    if (!isTold && (text === undefined || own.text?.replaceAll('\r\n', '\n') !== text)) return false;
    if (policy().pasteLimit === undefined) await pressKey(scope, shortcut);
    else await insertPermitted(inHand, own, shortcut);
    return true;
  };

  const run: Readonly<Record<Command, (byKey: boolean) => Promise<void>>> = {
    copy: (byKey) => pressKey(scope, { command: 'copy', byKey, meta: false }),
    cut: (byKey) => pressKey(scope, { command: 'cut', byKey, meta: false }),
    paste: (byKey) =>
      clipboard.use(async (inHand) => {
        const isPasted = await insertOwn(inHand, undefined, { command: 'paste', byKey, meta: false });
        if (!isPasted) commands.send(displayCopyPasteModal, undefined);
      }),
    'empty-paste': (byKey) => clipboard.use((inHand) => insert(inHand, {}, { command: 'paste', byKey, meta: false })),
    'pre-paste': async () => clipboard.warm(),
  };

  /** Does something in the order of the person's input; what goes wrong with it is the host's to know, and the person's. */
  const inOrder = (action: Refusal['action'], work: () => Promise<void>): void => {
    input.enqueue(async () => {
      try {
        await work();
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        log.warn(`the page could not ${action}`, { code, error: message });
        refuse(action, 'unusable');
      }
    });
  };

  commands.handle(paste, (request, body) => {
    const { text, html, rtf, picture, own, plain, by_key: byKey, meta } = request;
    const shortcut: Shortcut = { command: plain ? 'pasteAndMatchStyle' : 'paste', byKey, meta };
    const arriving = incoming.expect(request, body);
    inOrder('paste', async () => {
      const content = await arriving;
      await clipboard.use(async (inHand) => {
        if (own && (await insertOwn(inHand, content?.text, shortcut))) return;
        if (content) await insertPermitted(inHand, content, shortcut);
        else if (text + html + rtf + picture > 0) refuse('paste', 'unusable');
      });
    });
  });
  commands.handle(execCommand, ({ command, by_key: byKey }) => {
    if (command === 'pre-paste') clipboard.warm();
    else inOrder(command === 'copy' || command === 'cut' ? 'copy' : 'paste', () => run[command](byKey));
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
