/** Types of content that browsers let pages read, and the names of pictures. */
const TEXTS: readonly string[] = ['text/plain', 'text/html'];
const PICTURE = 'image/png';

/** Reads the person's clipboard, as a paste would bring it; undefined where the browser does not let us. It may ask the person. */
export async function readClipboard(): Promise<DataTransfer | undefined> {
  // Browsers leave it out where the connection is not secure, and parts of it elsewhere.
  const { clipboard } = navigator as { readonly clipboard?: Partial<Clipboard> };
  const data = new DataTransfer();
  try {
    if (clipboard?.read) {
      for (const item of await clipboard.read())
        for (const type of item.types) {
          if (TEXTS.includes(type)) data.setData(type, await (await item.getType(type)).text());
          else if (type === PICTURE) data.items.add(new File([await item.getType(type)], 'image.png', { type }));
        }
    } else if (clipboard?.readText) data.setData('text/plain', await clipboard.readText());
    else return undefined;
    return data;
  } catch {
    return undefined;
  }
}
