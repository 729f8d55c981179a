/** Wishes of a page about files. */
interface Wanted {
  readonly multiple: boolean;
  readonly folder: boolean;
  /** A hint for the picker, chosen by the page. */
  readonly accept: string;
}

/** Whether the browser opens a picker now: the last act of the person still counts. */
export function mayPick(): boolean {
  return navigator.userActivation.isActive;
}

/** Opens the picker of the person's browser. Resolves with the files, none where the person has chosen none. */
export function pickFiles({ multiple, folder, accept }: Wanted): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = multiple;
  input.webkitdirectory = folder;
  if (!folder) input.accept = accept;
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
