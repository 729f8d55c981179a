import type { PageScope } from '../../../core/page.ts';
import { hold, pageBatch, pageResync } from '../protocol.ts';
import { MirrorRecorder } from './recorder.ts';
import type { Tracker } from './tracker.ts';
import { Writer } from './writer.ts';

export function activate({ commands, kernel }: PageScope): void {
  const writer = new Writer((batch) => commands.send(pageBatch, batch));
  const trackers: Tracker[] = [];
  const recording = kernel.record(new MirrorRecorder(writer, trackers));

  let full = true;
  kernel.onPoll(() => {
    full = true;
  });
  kernel.onFlush(() => {
    for (const tracker of trackers) tracker.collect(full);
    full = false;
  });

  commands.handle(hold, ({ held }) => recording.hold(held));
  commands.handle(pageResync, () => recording.restart());
}
