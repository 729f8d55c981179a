import type { PageScope } from '../../../core/page.ts';
import { packTainted } from '../tainted-canvas.ts';
import {
  fontLoaded,
  fontSource,
  hold,
  pageBatch,
  pageResync,
  sheetsDirty,
  showTainted,
  topLayerDirty,
} from '../protocol.ts';
import { Animations } from './animations.ts';
import { Adopted } from './adopted.ts';
import { Canvases } from './canvases.ts';
import { CustomElements } from './custom-elements.ts';
import { Focus } from './focus.ts';
import { Fonts } from './fonts.ts';
import { Monospace } from './monospace.ts';
import { PageLayout } from './page-layout.ts';
import { Pictures } from './pictures.ts';
import { Highlights } from './highlights.ts';
import { MirrorRecorder } from './recorder.ts';
import { References } from './references.ts';
import { Scrolling } from './scrolling.ts';
import { Selected } from './selection.ts';
import { Selects } from './selects.ts';
import { Sheets } from './sheets.ts';
import { Slots } from './slots.ts';
import { Spinners } from './spinners.ts';
import { StateNames } from './state-names.ts';
import { Tainted } from './tainted.ts';
import { TopLayer } from './top-layer.ts';
import { Targeted } from './targeted.ts';
import { Transitions } from './transitions.ts';
import type { Tracker } from './tracker.ts';
import { Values } from './values.ts';
import { Videos } from './videos.ts';
import { Writer } from './writer.ts';

/** Observes a document and writes its content and changes as batches of ops (plugins/mirror/ops.ts). */
export function activate({ commands, kernel, main }: PageScope): void {
  const writer = new Writer((batch) => commands.send(pageBatch, batch));
  const stateNames = new StateNames();
  const sheets = new Sheets(kernel, writer, stateNames);
  const fonts = new Fonts((key) => commands.call(fontSource, { key }));
  const adopted = new Adopted(kernel, writer, stateNames, fonts);
  const topLayer = new TopLayer(kernel, writer);
  // Listens before the values do, so that the caret is sent in the flush of the value that moved it.
  const selected = new Selected(kernel, writer);
  const tainted = new Tainted(kernel, (canvas) => commands.call(showTainted, packTainted(canvas)));
  // In the order in which a view needs them: appearance, content, scroll offsets, selection. The first comes before all that may need the layout.
  const trackers: readonly Tracker[] = [
    new PageLayout(main),
    sheets,
    fonts,
    adopted,
    new Monospace(kernel, writer),
    new Pictures(kernel, writer),
    new Canvases(kernel, writer, tainted),
    new Videos(kernel, writer),
    new Values(kernel, writer, (id) => selected.valueWritten(id)),
    new Selects(kernel, writer),
    new CustomElements(kernel, writer, stateNames),
    new Slots(kernel, writer),
    new References(kernel, writer),
    new Spinners(kernel, writer),
    topLayer,
    new Targeted(kernel, writer),
    new Scrolling(kernel, writer),
    new Focus(kernel, writer),
    selected,
    new Highlights(kernel, writer),
    new Transitions(kernel, writer),
    new Animations(kernel, writer),
  ];
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
  commands.handle(fontLoaded, (font) => fonts.learn(font));
  commands.handle(topLayerDirty, () => topLayer.check());
  commands.handle(sheetsDirty, ({ nodes }) => {
    sheets.suspect(nodes);
    if (nodes.length === 0) adopted.suspect();
  });
}
