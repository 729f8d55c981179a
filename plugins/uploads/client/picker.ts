/** Wishes of a page about files. */
interface Wanted {
  readonly multiple: boolean;
  readonly folder: boolean;
  /** A hint for the picker, chosen by the page. */
  readonly accept: string;
  /** The camera that the page would have used, on devices that open one for it. */
  readonly capture?: string;
}

/** The picker of the person's browser. */
export interface Picker {
  /** Whether the browser opens it now: the last act of the person still counts. */
  mayOpen(): boolean;
  /** Opens it. Resolves with the files, none where the person has chosen none. */
  pick(wanted: Wanted): Promise<readonly File[]>;
}

export const picker: Picker = { mayOpen: () => navigator.userActivation.isActive, pick };

function pick({ multiple, folder, accept, capture }: Wanted): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = multiple;
  input.webkitdirectory = folder;
  if (!folder) input.accept = accept;
  if (capture) input.setAttribute('capture', capture); // desktop browsers have no property for it
  input.hidden = true;
  return new Promise((resolve) => {
    const ended = (files: readonly File[]): void => {
      input.remove();
      resolve(files);
    };
    input.addEventListener('change', () => ended([...(input.files ?? [])]));
    input.addEventListener('cancel', () => ended([]));
    document.body.append(input); // Safari opens none of an element that is in no document
    input.click();
  });
}
