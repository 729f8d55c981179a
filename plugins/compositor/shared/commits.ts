import type { Commands } from '../../../core/contracts/scope.ts';
import { COMMIT_MESSAGES } from './commit-messages.ts';
import type { CommitHandlers } from './commit-messages.ts';
import type { Message } from '../../../core/protocol/message.ts';

/**
 * Registers handlers for all messages that come with commits; the datetime chooser is known, and ignored. Returns a function
 * that unregisters them.
 *
 * @throws AppError `already-handled`; no handler is registered then.
 */
export function handleCommits(commands: Pick<Commands, 'handle'>, handlers: CommitHandlers): () => void {
  const ignored = { dateTimeChooser: () => undefined };
  const undo: (() => void)[] = [];
  const undoAll = (): void => {
    for (const each of undo) each();
  };
  try {
    for (const [name, handle] of Object.entries<(params: never) => void>({ ...handlers, ...ignored })) {
      const message = COMMIT_MESSAGES[name as keyof typeof COMMIT_MESSAGES] as Message<never, undefined>; // the message of this handler
      undo.push(commands.handle(message, handle));
    }
  } catch (thrown) {
    undoAll();
    throw thrown;
  }
  return undoAll;
}
