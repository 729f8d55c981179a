import type { Commands, ParamsOf } from '../../../core/index.ts';
import { uploadGoOn, uploadUnlock } from '../protocol.ts';
import type { uploadBlocked, uploadPassword } from '../protocol.ts';
import type { Dialogs } from './dialogs.ts';
import type { Uploads } from './uploads.ts';

interface QuestionOptions {
  readonly commands: Pick<Commands, 'send'>;
  readonly dialogs: Pick<Dialogs, 'password' | 'blocked'>;
  readonly uploads: Uploads;
  /** Ends notices, which stay after their upload. */
  readonly signal: AbortSignal;
}

/** Questions of the host about an upload. Each ends with its upload, and is not answered then. */
interface Questions {
  password(params: ParamsOf<typeof uploadPassword>): Promise<void>;
  blocked(params: ParamsOf<typeof uploadBlocked>): Promise<void>;
}

/** Asks the person, and sends the host their answers. */
export function questionsOf({ commands, dialogs, uploads, signal }: QuestionOptions): Questions {
  return {
    password: async ({ id, file, isAgain }) => {
      uploads.locked(id);
      const over = uploads.signal(id);
      const password = await dialogs.password(uploads.fileName(id, file), isAgain, over);
      if (over.aborted) return;
      if (password === undefined) uploads.cancel(id);
      else {
        uploads.unlocked(id);
        commands.send(uploadUnlock, { id, file, password });
      }
    },
    blocked: async ({ id, files, left, most = '' }) => {
      const [first] = files;
      if (!first) return;
      const canGoOn = left > 0;
      const name = uploads.fileName(id, first.file);
      const over = canGoOn ? uploads.signal(id) : signal;
      if (!canGoOn) uploads.blocked(id, 'uploads.blocked', first.message);
      const goesOn = await dialogs.blocked(name, first, { more: files.length - 1, most, canGoOn }, over);
      if (!canGoOn || over.aborted) return;
      if (goesOn) commands.send(uploadGoOn, { id });
      else uploads.cancel(id);
    },
  };
}
