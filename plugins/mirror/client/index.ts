import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { applicationLinks } from '../../../core/protocol/application-link.ts';
import { applied, frameGone, graft, mirrorBatch, resync, unpackBatch } from '../protocol.ts';
import { useLinkRules } from './links.ts';
import { MirrorRenderer } from './renderer.ts';
import { View } from './view.ts';

/** Maximum number of kinds of faults that are logged, each once; a page that provokes them must not flood the log. */
const MAX_FAULTS = 20;

/** Rebuilds the page in the view and provides the renderer (M-001). */
export const activate: ActivateClient = (scope) => {
  const { commands, events, log, session } = scope;
  useLinkRules({ prefix: session.prefix, applications: applicationLinks(session.capabilities) });
  const faults = new Set<string>();
  const view = new View({
    opened: (document) => renderer.opened(document),
    closed: (document) => renderer.closed(document),
    scrolled: (...scrolled) => renderer.scrolled(...scrolled),
    edited: (...edited) => renderer.edited(...edited),
    applied: ({ frame, epoch }, seq) => {
      commands.send(applied, { frame, epoch, seq });
      scope.reached(frame, epoch, seq);
    },
    lost: (frame, reason) => {
      if (reason === undefined) commands.send(graft, { frame });
      else commands.send(resync, { frame, reason });
    },
    broken: (frame, name) => events.report(name, { frame }, { level: 'error' }),
    failed: ({ frame }, code, thrown) => {
      const reason = String(thrown);
      const kind = `${code} ${reason}`;
      if (faults.has(kind) || faults.size >= MAX_FAULTS) return;
      faults.add(kind);
      log.warn('an op could not be applied', { frame, code, reason });
    },
  });
  const renderer = new MirrorRenderer(view);
  commands.handle(mirrorBatch, (batch) => view.receive(batch[0], unpackBatch(batch)));
  commands.handle(frameGone, ({ frame }) => view.drop(frame));
  scope.services.provide(rendererToken, renderer);
  scope.onDispose(() => view.dispose());
};
