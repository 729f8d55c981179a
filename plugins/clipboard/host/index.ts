import { copyPasteToken, toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope, InputTurn } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { displayCopyPasteModal, execCommand, paste, refused } from '../protocol.ts';
import type { Command, Refusal } from '../protocol.ts';
import { refusalBy } from '../refusal.ts';
import { clipboardToken } from './clipboard.ts';
import { FrameGuard } from './guard.ts';
import { Incoming } from './incoming.ts';
import { pressKey } from './keys.ts';
import type { Shortcut } from './keys.ts';
import { Outgoing } from './outgoing.ts';
import { Pasting } from './pasting.ts';
import type { Press } from './pasting.ts';
import { SharedClipboard } from './shared.ts';

/**
 * Copies and pastes for one tab. The surrogate has a clipboard of its own, which no page reads without the person: what the person pastes
 * is put there, a trusted key makes the page paste, and it is emptied again. What the page copies is read from there (`outgoing.ts`).
 * The policy is decided here (S-092); the client's word counts for nothing.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { tab, commands, input, log } = scope;
  const clipboard = scope.services.get(clipboardToken);
  const incoming = new Incoming();
  scope.onDispose(() => incoming.dispose());
  scope.hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) incoming.dispose();
  });
  const shared = SharedClipboard.of(clipboard);
  scope.onDispose(shared.join(input.gesture));
  const refuse = (refusal: Refusal): void => commands.send(refused, refusal);
  const guard = new FrameGuard(scope);
  const outgoing = new Outgoing(scope, {
    ...{ clipboard, shared, gesture: input.gesture, guard },
    refuse: (rules) => refuse(refusalBy(rules, 'copy')),
  });

  const pasting = new Pasting({
    guard,
    shared,
    refuse,
    toldKey: () => outgoing.toldKey,
  });

  const run: Readonly<Record<Exclude<Command, 'pre-paste'>, (press: Press) => Promise<void>>> = {
    copy: (press) => press(),
    cut: (press) => press(),
    paste: (press) =>
      clipboard.use(async (inHand) => {
        const isPasted = await pasting.insertOwn(inHand, undefined, press);
        if (!isPasted) commands.send(displayCopyPasteModal, undefined);
      }),
    'empty-paste': (press) => clipboard.use((inHand) => pasting.insertUnread(inHand, press)),
    // The page gets the key; its paste comes with the files, once they have been judged.
    'file-paste': (press) => clipboard.use((inHand) => pasting.insert(inHand, {}, () => guard.withholdPaste(press))),
  };

  /** Does something in the order of the person's input; what goes wrong with it is the host's to know, and the person's. */
  const inOrder = (action: Refusal['action'], shortcut: Shortcut, work: (press: Press) => Promise<void>): void => {
    const apply = async (turn: InputTurn): Promise<void> => {
      try {
        await work(() => pressKey(turn, log, shortcut));
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        if (code === 'frame-gone') return; // the page is left
        log.warn(`the page could not ${action}`, { code, error: message });
        refuse({ action, reason: 'unusable' });
      }
    };
    void input.enqueue(apply);
  };

  commands.handle(paste, (request, body) => {
    const { text, html, rtf, picture, own, plain, by_key: byKey, meta } = request;
    const shortcut: Shortcut = { command: plain ? 'pasteAndMatchStyle' : 'paste', byKey, meta };
    const arriving = incoming.expect(request, body);
    inOrder('paste', shortcut, async (press) => {
      const content = await arriving;
      await clipboard.use(async (inHand) => {
        if (own && (await pasting.insertOwn(inHand, content?.text, press))) return;
        if (content) await pasting.insertPermitted(inHand, content, press);
        else if (text + html + rtf + picture > 0) refuse({ action: 'paste', reason: 'unusable' });
      });
    });
  });
  commands.handle(execCommand, ({ command, by_key: byKey }) => {
    if (command === 'pre-paste') {
      clipboard.warm();
      return;
    }
    const key = command === 'copy' || command === 'cut' ? command : 'paste';
    inOrder(key === 'paste' ? 'paste' : 'copy', { command: key, byKey, meta: false }, run[command]);
  });

  provideRules(scope, guard);
};

/** Provides rules and help to the plugins that have menus. */
function provideRules({ services, commands }: HostScope<typeof manifest>, guard: FrameGuard): void {
  services.provide(copyPasteToken, {
    mayCopy: (frame) => guard.of(frame).copy,
    mayPaste: (frame) => guard.of(frame).pasteLimit !== 0,
    showKeys: () => commands.send(displayCopyPasteModal, undefined),
  });
}
