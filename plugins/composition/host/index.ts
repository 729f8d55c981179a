import type { ActivateHost } from '../../../host/plugin.ts';
import { composition, edit, ednt, edtx, insertion, key, notice, pageEnded } from '../protocol.ts';
import type { EditType } from '../protocol.ts';
import type { manifest } from '../manifest.ts';
import { command } from './command.ts';
import { PageComposition, selectIn } from './page-composition.ts';
import { MethodKeys } from './method-keys.ts';
import { TextEdits } from './text-edits.ts';

/** Chromium's editing commands for edits without a key. */
const COMMANDS: Readonly<Record<EditType, string>> = {
  deleteContentBackward: 'DeleteBackward',
  deleteContentForward: 'DeleteForward',
  deleteWordBackward: 'DeleteWordBackward',
  deleteWordForward: 'DeleteWordForward',
  deleteSoftLineBackward: 'DeleteToBeginningOfLine',
  deleteSoftLineForward: 'DeleteToEndOfLine',
  deleteHardLineBackward: 'DeleteToBeginningOfParagraph',
  deleteHardLineForward: 'DeleteToEndOfParagraph',
  insertLineBreak: 'InsertLineBreak',
  insertParagraph: 'InsertNewline',
  historyUndo: 'Undo',
  historyRedo: 'Redo',
};

/** Composes in the page, in the order of the person's input, what an input method composes in the view. */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, frames, hooks, input, page, tab } = scope;
  const composing = new PageComposition(scope);

  commands.handle(composition, (step) => composing.take(step));
  commands.handle(notice, ({ composition: of, frame }) => composing.notice(of, frame));
  const keys = new MethodKeys();
  commands.handle(key, (event) => {
    void input.enqueue((turn) => keys.apply(turn, event), { isPress: event.type === 'down' });
  });
  // Nobody reports where keys come up then.
  hooks.tap(tab.hooks.inputLost, () => void input.enqueue((turn) => keys.releaseAll(turn)));
  commands.handle(insertion, (inserted) => composing.insert(inserted));
  commands.handle(edit, ({ frame, type, replaced }) => {
    void input.enqueue(async (turn) => {
      if (replaced && !(await selectIn(scope, frame, replaced))) return;
      void command(turn, COMMANDS[type]);
    });
  });
  const edits = new TextEdits(scope);
  commands.handle(edtx, (edited) => edits.take(edited));
  commands.handle(ednt, (edited) => edits.take(edited));

  page.handle(pageEnded, (_, { id }) => composing.look(id));
  frames.onGone((id) => composing.drop(id));
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) composing.drop(frame);
  });
  hooks.tap(tab.hooks.replaced, () => {
    composing.drop();
    keys.forget();
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) composing.attached();
  });
  scope.onDispose(() => composing.drop());
};
