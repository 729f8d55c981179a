import type { EditMeans } from '../../../core/protocol/edit-means.ts';
import type { Target } from '../../../core/protocol/target.ts';

/** Longest suggestion of a page that is taken, in UTF-16 units. */
const MAX_SUGGESTION_UNITS = 10_000;

/** The values that controls can get by each of the browser's means. */
const VALUES: Readonly<Record<EditMeans, (value: string) => boolean>> = {
  picker: (value) => value.length <= 40 && /^[\dTW:.-]*$/.test(value),
  slider: (value) => value.length <= 40 && /^-?\d*(?:\.\d+)?(?:e[+-]?\d+)?$/.test(value),
  select: (value) => /^(?:\d+(?:,\d+)*)?$/.test(value),
  suggestion: (value) => value.length <= MAX_SUGGESTION_UNITS,
};

/**
 * Decides which changes of whole controls are taken from the view. The person's browser fills in by itself what it keeps for the service's
 * origin, and that is not for any page: an edit is taken only of the control that the person has pressed last, and only where its value can
 * come from the means that it names.
 */
export class PersonEdits {
  #pressed: Target | undefined;

  /** The person has pressed there, or opened a picker there. */
  pressed(at: Target): void {
    this.#pressed = at;
  }

  takes({ frame, epoch, node }: Target, by: EditMeans, value: string): boolean {
    const pressed = this.#pressed;
    if (node === undefined || pressed?.node !== node || pressed.frame !== frame || pressed.epoch !== epoch)
      return false;
    return VALUES[by](value);
  }

  /** The page is another. */
  reset(): void {
    this.#pressed = undefined;
  }
}
