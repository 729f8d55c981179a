import type {
  Box,
  Edit,
  Editing,
  EditMeans,
  Highlighter,
  Renderer,
  Target,
  ViewDocument,
  Diagnostics,
} from '../../../core/index.ts';
import { asElement, isHtml, read } from './dom.ts';
import { focusedIn, middleOf } from './focused.ts';
import { boxesOf, elementAt, originOf, targetAt } from './geometry.ts';
import type { MirrorDocument } from './mirror-document.ts';
import type { View } from './view.ts';

type Each = (view: ViewDocument) => () => void;

/** The mirror as the tab's renderer: maps between targets and the DOM of the view. */
export class MirrorRenderer implements Renderer {
  readonly name = 'mirror';
  readonly #view: View;
  readonly #open = new Set<MirrorDocument>();
  readonly #each = new Map<Each, Map<MirrorDocument, () => void>>();
  readonly #scrollListeners = new Set<(target: Target, left: number, top: number) => void>();
  #editing: Promise<Editing> | undefined;
  readonly #editListeners = new Set<(edit: Edit) => void>();

  constructor(view: View) {
    this.#view = view;
  }

  get view(): HTMLElement {
    return this.#view.element;
  }

  documents(each: Each): () => void {
    const undo = new Map<MirrorDocument, () => void>();
    this.#each.set(each, undo);
    for (const mirror of this.#open) undo.set(mirror, each(viewDocument(mirror)));
    return () => {
      this.#each.delete(each);
      for (const leave of undo.values()) leave();
    };
  }

  hitTest(event: MouseEvent | Touch): Target | undefined {
    const node = ('composedPath' in event && event.composedPath()[0]) || event.target;
    const document = documentOf(node as Node | null); // events in the view's documents target nodes
    const mirror = document && this.#view.documentOf(document);
    if (!mirror) return undefined;
    const { clientX: x, clientY: y } = event;
    // A touch keeps its first target, and an event that has already been dispatched has the outermost tree's target.
    const isDeep = 'composedPath' in event && event.composedPath().length > 0;
    return targetAt(mirror, isDeep ? (node as Node) : elementAt(document, x, y), x, y); // a node: it has a document
  }

  focused(): Target | undefined {
    const { mirror, element } = focusedIn(this.#view) ?? {};
    return mirror && element && middleOf(mirror, element);
  }

  rects(target: Target): Box[] {
    const mirror = this.#find(target);
    if (!mirror) return [];
    if (target.node !== undefined) {
      const node = mirror.tree.node(target.node);
      return node ? boxesOf(node) : [];
    }
    const origin = originOf(mirror.realm.document);
    return [{ x: origin.x + target.x, y: origin.y + target.y, width: 0, height: 0 }];
  }

  caret(): Box | undefined {
    const focused = this.focused();
    const mirror = focused && this.#find(focused);
    const element = mirror && asElement(mirror.tree.node(focused.node ?? 0));
    if (!element) return undefined;
    if (isHtml(element, 'input', 'textarea')) return boxesOf(element)[0]; // browsers do not expose the caret's place inside
    const { document } = mirror.realm;
    const selection = Document.prototype.getSelection.call(document);
    const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
    const rect = range?.getClientRects()[0];
    if (!rect) return undefined;
    const origin = originOf(document);
    return { x: rect.x + origin.x, y: rect.y + origin.y, width: rect.width, height: rect.height };
  }

  scrollTo(target: Target, left: number, top: number): void {
    const mirror = this.#find(target);
    const scroller = mirror && (target.node === undefined ? mirror.realm.document : mirror.tree.node(target.node));
    if (scroller) mirror.scrolling.place(scroller, left, top);
  }

  onScroll(listener: (target: Target, left: number, top: number) => void): () => void {
    this.#scrollListeners.add(listener);
    return () => this.#scrollListeners.delete(listener);
  }

  onEdit(listener: (edit: Edit) => void): () => void {
    this.#editListeners.add(listener);
    return () => this.#editListeners.delete(listener);
  }

  editing(): Promise<Editing> {
    return (this.#editing ??= import('./editing.ts').then(({ MirrorEditing }) => new MirrorEditing(this.#view)));
  }

  async highlighter(): Promise<Highlighter> {
    return new (await import('./late-parts.ts')).MirrorHighlighter(this.#view);
  }

  async diagnostics(): Promise<Diagnostics> {
    return new (await import('./late-parts.ts')).MirrorDiagnostics(this.#view, this);
  }

  /** Called when a document has been opened. */
  opened(mirror: MirrorDocument): void {
    this.#open.add(mirror);
    for (const [each, undo] of this.#each) undo.set(mirror, each(viewDocument(mirror)));
  }

  /** Called before a document is closed. */
  closed(mirror: MirrorDocument): void {
    this.#open.delete(mirror);
    for (const undo of this.#each.values()) {
      undo.get(mirror)?.();
      undo.delete(mirror);
    }
  }

  /** Called when the person has scrolled the document or an element. */
  scrolled(mirror: MirrorDocument, scroller: Node, left: number, top: number): void {
    const node = mirror.tree.idOf(scroller);
    if (node === undefined) return;
    const target = { frame: mirror.frame, epoch: mirror.epoch, node, x: 0, y: 0 };
    for (const listener of this.#scrollListeners) listener(target, left, top);
  }

  /** Called when the person has changed the control that holds an element by the browser's own means. */
  edited(mirror: MirrorDocument, pressed: Element, by: EditMeans, value: string): void {
    const target = middleOf(mirror, pressed);
    for (const listener of this.#editListeners) listener({ target, by, value });
  }

  #find({ frame, epoch }: Target): MirrorDocument | undefined {
    return this.#view.documentsOf(frame).find((mirror) => epoch === undefined || mirror.epoch === epoch);
  }
}

const viewDocument = (mirror: MirrorDocument): ViewDocument => ({
  frame: mirror.frame,
  document: mirror.realm.document,
});

function documentOf(node: Node | null): Document | undefined {
  if (!node || !('nodeType' in node)) return undefined;
  return read(Node, node, 'ownerDocument') ?? (node as Document); // only documents have no owner
}
