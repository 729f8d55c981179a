import { inputToken, pastedFilesToken } from '../../../core/index.ts';
import type { ActivateClient, Message } from '../../../core/index.ts';
import {
  runFileChooser,
  uploadAborted,
  uploadAck,
  uploadBlocked,
  uploadComplete,
  uploadPassword,
  uploadProgress,
  uploadsDisabled,
} from '../protocol.ts';
import type { start } from './start.ts';

/** Loads the rest once a page asks for a file, or files are dragged over it or pasted. */
export const activate: ActivateClient = (scope) => {
  let started: ReturnType<typeof start> | undefined;
  const load = (): ReturnType<typeof start> => (started ??= import('./start.ts').then((part) => part.start(scope)));
  if (hasUnfinished()) void load(); // which lists them
  const { commands } = scope;
  const taken =
    <P>(message: Message<P>) =>
    async (params: P): Promise<void> => {
      const { take } = await load();
      await take(message.name, params);
    };
  commands.handle(runFileChooser, taken(runFileChooser));
  commands.handle(uploadsDisabled, taken(uploadsDisabled));
  commands.handle(uploadAck, taken(uploadAck));
  commands.handle(uploadProgress, taken(uploadProgress));
  commands.handle(uploadPassword, taken(uploadPassword));
  commands.handle(uploadBlocked, taken(uploadBlocked));
  commands.handle(uploadAborted, taken(uploadAborted));
  commands.handle(uploadComplete, taken(uploadComplete));
  scope.services.provide(pastedFilesToken, {
    take: (data, frame, hasPicture) => {
      // They can be read during the event only.
      const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
      if (entries.length <= Number(hasPicture)) return false;
      void load().then(({ paste }) => paste(frame, entries));
      return true;
    },
  });
  scope.onDispose(
    scope.services.get(inputToken).add((view) => {
      let isWatched = false;
      view.on('dragenter', (event) => {
        if (isWatched || !event.dataTransfer?.types.includes('Files')) return;
        isWatched = true;
        void load().then(({ watch }) => watch(view));
      });
    }),
  );
};

/** Whether an earlier document of the tab had uploads that were not over. */
function hasUnfinished(): boolean {
  try {
    return 'vitrine-unfinished-uploads' in sessionStorage;
  } catch {
    return false; // forbidden by the browser's settings
  }
}
