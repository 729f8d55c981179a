import type { Editable, Editing, ViewSelection } from '../../../core/index.ts';
import type { MirrorEditable } from './editable.ts';
import { focusedIn } from './focused.ts';
import type { MirrorDocument } from './mirror-document.ts';
import { isEditingHost, MirrorRichText } from './rich-text.ts';
import { isTextControl, MirrorControl } from './text-control.ts';
import type { View } from './view.ts';
import { selectionIn } from './view-selection.ts';

/** Editing in the view (see `Editing`): one editable at a time, the one with the focus. */
export class MirrorEditing implements Editing {
  readonly #view: View;
  readonly #listeners = new Set<() => void>();
  #editable: MirrorEditable | undefined;

  constructor(view: View) {
    this.#view = view;
  }

  focused(): Editable | undefined {
    const editable = this.entered();
    return editable?.isThere() ? editable : undefined;
  }

  entered(): Editable | undefined {
    if (this.#editable?.isEntered()) return this.#editable;
    this.#editable?.release();
    this.#editable = undefined;
    const { mirror, element } = focusedIn(this.#view) ?? {};
    if (!mirror || !element) return undefined;
    if (isTextControl(element)) this.#editable = new MirrorControl(mirror, element);
    else if (isEditingHost(element)) this.#editable = new MirrorRichText(mirror, element);
    if (this.#editable) mirror.controls.held.drawn ??= () => this.#drawn(mirror);
    return this.#editable;
  }

  selection(document: Document): ViewSelection | undefined {
    const mirror = this.#view.documentOf(document);
    return mirror && selectionIn(mirror);
  }

  onDrawn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #drawn(mirror: MirrorDocument): void {
    if (this.#editable?.mirror !== mirror) return;
    this.#editable.drawn();
    for (const listener of this.#listeners) listener();
  }
}
