import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { applied, frameGone, mirrorBatch, resync, unpackBatch } from '../protocol.ts';
import { MirrorRenderer } from './renderer.ts';
import { View } from './view.ts';

/** Faults of one kind that are logged; a page that provokes them must not fill the log. */
const MAX_FAULTS = 20;

/** Rebuilds the page in the view and provides the renderer (M-001). */
export const activate: ActivateClient = (scope) => {
  const { commands, events, log } = scope;
  let faults = 0;
  const view = new View({
    opened: (document) => renderer.opened(document),
    closed: (document) => renderer.closed(document),
    scrolled: (...scrolled) => renderer.scrolled(...scrolled),
    edited: (...edited) => renderer.edited(...edited),
    applied: ({ frame, epoch }, seq) => {
      commands.send(applied, { frame, epoch, seq });
      scope.reached(frame, epoch, seq);
    },
    lost: (frame, reason) => commands.send(resync, { frame, reason }),
    broken: (frame, name) => events.report(name, { frame }, { level: 'error' }),
    failed: ({ frame }, code, thrown) => {
      if (++faults <= MAX_FAULTS) log.warn('an op could not be applied', { frame, code, reason: String(thrown) });
    },
  });
  const renderer = new MirrorRenderer(view);
  commands.handle(mirrorBatch, (batch) => view.receive(batch[0], unpackBatch(batch)));
  commands.handle(frameGone, ({ frame }) => view.drop(frame));
  scope.services.provide(rendererToken, renderer);
  scope.onDispose(() => view.dispose());
};
