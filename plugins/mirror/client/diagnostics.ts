import type { Readings, Diagnostics } from '../../../core/index.ts';
import { isHtml } from './dom.ts';
import type { MirrorRenderer } from './renderer.ts';
import type { View } from './view.ts';

/** Rules for screenshot comparisons; elements that our sheets do not reach inherit invisible scrollbars. */
const BARE = `@media all{@layer vitrine{
video{visibility:hidden!important}
*{scrollbar-width:none!important}
:root{scrollbar-color:transparent transparent!important}
}}`;
const BYTES_PER_PIXEL = 4;

/** Counters of the mirror, and its bare mode. */
export class MirrorDiagnostics implements Diagnostics {
  readonly #view: View;
  readonly #renderer: MirrorRenderer;
  #dress: (() => void) | undefined;

  constructor(view: View, renderer: MirrorRenderer) {
    this.#view = view;
    this.#renderer = renderer;
  }

  readings(): Readings {
    const frames = [...this.#view.frames];
    const documents = frames.flatMap((frame) => frame.documents);
    return {
      ...this.#view.work,
      queued: frames.reduce((sum, { queued }) => sum + queued, 0),
      nodes: documents.reduce((sum, { tree }) => sum + tree.size, 0),
      canvasBytes: documents.reduce((sum, { realm }) => sum + canvasBytes(realm.document), 0),
    };
  }

  setBare(isBare: boolean): void {
    this.#dress?.();
    this.#dress = isBare ? this.#renderer.documents(({ document }) => this.#undress(document)) : undefined;
  }

  #undress(document: Document): () => void {
    const rule = this.#view.documentOf(document)?.sheets.rule(BARE);
    const media = rule && 'media' in rule ? (rule.media as MediaList) : undefined; // from the view's realm, so instanceof fails
    return () => {
      if (media) media.mediaText = 'not all';
    };
  }
}

function canvasBytes(document: Document): number {
  let bytes = 0;
  for (const element of Document.prototype.getElementsByTagName.call(document, 'canvas')) {
    if (!isHtml(element, 'canvas')) continue;
    const { width, height } = element as HTMLCanvasElement; // by its name
    bytes += width * height * BYTES_PER_PIXEL;
  }
  return bytes;
}
