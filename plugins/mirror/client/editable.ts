import type { Box, Editable, EditableTraits, Target, TextState } from '../../../core/index.ts';
import { activeIn } from './dom.ts';
import { middleOf } from './focused.ts';
import type { MirrorDocument } from './mirror-document.ts';

/** The common part of both kinds of editable text. */
export abstract class MirrorEditable implements Editable {
  abstract readonly kind: EditableTraits['kind'];
  readonly mirror: MirrorDocument;
  readonly element: Element;
  readonly target: Target;
  isHeld = false;
  /** Whether the page has had the focus in it: it has gone where it does not have it any more. */
  #wasThere = false;

  constructor(mirror: MirrorDocument, element: Element) {
    this.mirror = mirror;
    this.element = element;
    this.target = middleOf(mirror, element);
  }

  abstract readonly isMultiline: boolean;
  abstract readonly isSecret: boolean;
  abstract readonly isReadOnly: boolean;
  abstract readonly type: string;
  abstract readonly maxLength: number | undefined;
  abstract readonly keepsSpaces: boolean;
  abstract page(): TextState | undefined;
  abstract wholeText(): string | undefined;
  abstract shown(): TextState | undefined;
  abstract show(state: TextState): boolean;
  /** Keeps changes by the page from the text of the view. */
  protected abstract keep(): void;
  /** Shows the page's text. */
  protected abstract give(): void;
  abstract box(): Box | undefined;

  hold(): void {
    this.isHeld = true;
    this.keep();
  }

  release(): void {
    this.isHeld = false;
    this.give();
  }

  /** Called after changes of the page have been drawn. */
  drawn(): void {
    // Only rich text changes its nodes.
  }

  /** Whether the page has the focus in it. */
  isThere(): boolean {
    const isThere = this.mirror.focus.page.element === this.element;
    this.#wasThere ||= isThere;
    return isThere;
  }

  /** Whether the view has the focus in it, and the page has it, or has not had it yet. */
  isEntered(): boolean {
    const { document } = this.mirror.realm;
    return (
      !!document.defaultView &&
      this.element.isConnected &&
      activeIn(document) === this.element &&
      (this.isThere() || !this.#wasThere)
    );
  }
}
