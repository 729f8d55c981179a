import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';
import { savedFile } from './saved-file.ts';

/** Options of `showSaveFilePicker`, as the page says them. */
interface SaveOptions {
  readonly suggestedName?: unknown;
  readonly types?: unknown;
}

/** Answers `showSaveFilePicker`, which Chromium could only abort here, with a file whose content becomes a download. */
export const activate: ActivateMain = () => {
  interceptMethod(globalThis, 'showSaveFilePicker', async ({ args }) => {
    const { ancestorOrigins, origin } = location;
    if ([...ancestorOrigins].some((each) => each !== origin))
      throw new DOMException("Cross origin sub frames aren't allowed to show a file picker.", 'SecurityError');
    if (!navigator.userActivation.isActive)
      throw new DOMException('Must be handling a user gesture to show a file picker.', 'SecurityError');
    return savedFile(nameOf(Object(args[0]) as SaveOptions)); // its fields are looked at one by one
  });
};

/** The name that the page suggests; without one, `Untitled` with the first ending that it names. */
function nameOf({ suggestedName, types }: SaveOptions): string {
  if (typeof suggestedName === 'string' && suggestedName !== '') return suggestedName;
  const [type] = Array.isArray(types) ? (types as unknown[]) : [];
  const { accept } = Object(type) as { readonly accept?: unknown };
  const [ending = ''] = Object.values(Object(accept) as Readonly<Record<string, unknown>>).flat();
  return `Untitled${String(ending)}`;
}
