import { counted, workToken } from '../../../host/plugin.ts';
import type { Frame, HostScope } from '../../../host/plugin.ts';
import { applied, fontSource, graft, pageBatch, resync, showTainted } from '../protocol.ts';
import { unpackTainted } from '../tainted-canvas.ts';
import { canvasesShown, inlinePictures, openedApplications } from './inline-pictures.ts';
import type { manifest } from '../manifest.ts';
import { LoadedFonts } from './loaded-fonts.ts';
import { Mirror } from './mirror.ts';
import type { Resource } from './mirror.ts';
import { TextSource } from './text-source.ts';
import { SheetTexts } from './sheet-texts.ts';
import type { SafeTextOptions } from './sheet-texts.ts';
import type { LoadText } from './text-source.ts';
import { StyleSheets } from './style-sheets.ts';
import { SvgFiles } from './svg-files.ts';
import { TaintedCanvases } from './tainted-canvases.ts';

/** Connects the page halves with the view of one tab: nothing of a page reaches the client unsanitized (M-001). */
export function activate(scope: HostScope<typeof manifest>): void {
  const { commands, frames, page, tab, hooks } = scope;
  const known = new StyleSheets(scope);
  const source = new TextSource(scope, known);
  const load: LoadText = (frame, address) => source.load(frame, address);
  const fonts = new LoadedFonts(scope);
  const resource: Resource = (kind, address, frame) => {
    if (kind === 'f') fonts.named(address);
    return tab.resource(kind, address, frame);
  };
  const keepsInline = inlinePictures(scope);
  // Tokens depend on properties of the frame: the responses its documents get for an address, the policy for pictures.
  const kin = (frame: number): string => tab.resource('i', 'data:,', frame);
  const work = scope.services.find(workToken);
  const safe: SafeTextOptions = { load, resource, keepsInline, kin, work };
  const [sheets, svg] = [new SheetTexts(safe), new SvgFiles(safe)];
  const showsCanvases = canvasesShown(scope);
  const applications = openedApplications(scope);
  const mirror = new Mirror({ scope, resource, keepsInline, showsCanvases, applications, sheets, svg });
  const tainted = new TaintedCanvases({
    scope,
    isBusy: () => mirror.isBusy,
    add: (frame, epoch, own) => mirror.add(frame, epoch, own),
  });

  page.handle(showTainted, async (fields, frame) => {
    const canvas = unpackTainted(fields);
    return canvas && showsCanvases() ? tainted.show(frame, canvas) : false;
  });
  page.handle(fontSource, ({ key }) => fonts.source(key));
  page.handle(pageBatch, (batch, frame) => counted(work, 'sanitizing', () => mirror.take(frame, batch)));
  frames.onReady((frame) => {
    if (frame.parent === 0) fonts.forget();
    mirror.ready(frame);
  });
  frames.onGone((id) => {
    known.forget(id);
    source.forget(id);
    svg.forget(id);
    mirror.gone(id);
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (sameDocument) return;
    source.begin(frame);
    svg.forget(frame);
    mirror.navigated(frame);
    const shown = frames.get(frame);
    if (shown && runsPageHalf(shown)) mirror.expect(shown);
  });
  commands.handle(applied, ({ frame, epoch, seq }) => mirror.applied(frame, epoch, seq));
  commands.handle(resync, ({ frame, reason }) => {
    scope.log.info('the client requested a resync of a frame', { frame, reason });
    mirror.resync(frame);
  });
  commands.handle(graft, ({ frame }) => mirror.resync(frame));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) mirror.resyncAll();
  });
  hooks.tap(tab.hooks.lagging, ({ lagging }) => {
    mirror.lagging = lagging;
  });
}

/** Whether a page half will start in a document: none does in Chromium's own pages for errors and PDF files. */
function runsPageHalf({ url, mimeType }: Frame): boolean {
  return /^(?:https?|blob|data|about):/i.test(url) && mimeType !== 'application/pdf';
}
