import type { AppError } from '../protocol/errors.ts';
import { coverWith } from './cover.ts';
import { DialogQueue } from './dialog-queue.ts';
import dialogStyle from './dialog.css';
import type { OverlayOptions } from './overlay.ts';
import { PageFrame } from './page-frame.ts';

/** The dialogs of an overlay. The code is fetched for the first dialog. */
export function makeDialogs(options: OverlayOptions, onFault: (fault: AppError, plugin: string) => void): DialogQueue {
  const { language: lang, direction: dir } = options.texts;
  return new DialogQueue({
    frame: new PageFrame({ ...options, style: dialogStyle }),
    loadOpener: async () => (await import('./dialog-root.tsx')).dialogOpener(onFault, { lang, dir }),
    cover: coverWith,
    onFault,
  });
}
