/** Files and folders that the person has dropped or pasted. */
export type Entries = readonly (FileSystemEntry | File)[];

/** Those of a drop or a paste. They can be read during its event only. */
export function entriesOf({ items }: DataTransfer): Entries {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
}
