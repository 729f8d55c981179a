import type { Editable, TextState } from '../../../core/index.ts';

/** An editable as a renderer has it: what the page has last said, and what is shown in its place. */
export class PlayedField implements Editable {
  readonly kind: Editable['kind'];
  readonly isMultiline: boolean;
  readonly isSecret: boolean = false;
  readonly isReadOnly: boolean = false;
  readonly type: string = 'text';
  readonly maxLength: number | undefined;
  readonly keepsSpaces: boolean = true;
  readonly target: Editable['target'];
  isGone = false;
  isHeld = false;
  #page: TextState;
  #shown: TextState | undefined;

  constructor(
    node: number,
    page: TextState,
    traits: Partial<Pick<Editable, 'kind' | 'isMultiline' | 'maxLength'>> = {},
  ) {
    this.target = { frame: 1, epoch: 5, node, x: 0, y: 0 };
    this.#page = page;
    this.kind = traits.kind ?? 'control';
    this.isMultiline = traits.isMultiline ?? false;
    this.maxLength = traits.maxLength;
  }

  /** The view draws what the page has. */
  draw(page: TextState): void {
    this.#page = page;
  }

  page(): TextState {
    return this.#page;
  }

  wholeText(): string {
    return this.#page.text;
  }

  /** The state that the person sees. */
  shown(): TextState {
    return this.#shown ?? this.#page;
  }

  show(state: TextState): boolean {
    this.#shown = state;
    return true;
  }

  hold(): void {
    this.isHeld = true;
    this.#shown ??= this.#page;
  }

  release(): void {
    this.isHeld = false;
    this.#shown = undefined;
  }

  isThere(): boolean {
    return !this.isGone;
  }

  box(): undefined {
    return undefined;
  }
}
