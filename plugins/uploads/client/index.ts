import { inputToken, pastedFilesToken } from '../../../core/index.ts';
import type { ActivateClient, DeviceView, Message } from '../../../core/index.ts';
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
import type { DropAt } from './drags.ts';
import { entriesOf } from './entries.ts';
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
      const entries = entriesOf(data);
      if (entries.length <= Number(hasPicture)) return false;
      void load().then(({ paste }) => paste(frame, entries));
      return true;
    },
  });
  scope.onDispose(scope.services.get(inputToken).add((view) => takeEarly(view, load)));
};

/** Loads the rest with the first files that are dragged over a document of the view, and keeps a drop that comes before it is there. */
function takeEarly(view: DeviceView, load: () => ReturnType<typeof start>): void {
  let loading: Promise<DropAt> | undefined;
  let loaded: DropAt | undefined;
  for (const type of ['dragenter', 'dragover', 'drop'] as const)
    view.on(type, (event) => {
      const { dataTransfer } = event;
      if (loaded || !dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // the browser would open the file in place of the view
      loading ??= load().then(({ watch }) => (loaded = watch(view)));
      if (type !== 'drop') return;
      const entries = entriesOf(dataTransfer);
      void loading.then((dropAt) => dropAt(event, entries));
    });
}

/** Whether an earlier document of the tab had uploads in its list. */
function hasUnfinished(): boolean {
  try {
    return 'vitrine-unfinished-uploads' in sessionStorage;
  } catch {
    return false; // forbidden by the browser's settings
  }
}
