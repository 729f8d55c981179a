import type { Commands } from '../../../core/contracts/scope.ts';
import { COMMIT_MESSAGES } from './commit-messages.ts';
import type { CommitHandlers } from './commit-messages.ts';
import type { Message } from '../../../core/protocol/message.ts';

/**
 * Has all that comes with commits handled; the datetime chooser is known, and ignored. Answers with the undo.
 *
 * @throws AppError `already-handled`; nothing is handled then.
 */
export function handleCommits(commands: Pick<Commands, 'handle'>, handlers: CommitHandlers): () => void {
  const ignored = { dateTimeChooser: () => undefined };
  const undo: (() => void)[] = [];
  const undoAll = (): void => {
    for (const each of undo) each();
  };
  try {
    for (const [name, handle] of Object.entries({ ...handlers, ...ignored })) {
      const message = COMMIT_MESSAGES[name as keyof typeof COMMIT_MESSAGES] as Message<never, undefined>; // the one that its handler is for
      undo.push(commands.handle(message, handle as (params: never) => undefined));
    }
  } catch (thrown) {
    undoAll();
    throw thrown;
  }
  return undoAll;
}
