import { WrittenBytes } from './written-bytes.ts';

/** Time after which the address of a download is no longer needed, in ms. */
const ADDRESS_MS = 60_000;

const { createObjectURL, revokeObjectURL } = URL;
const { click } = HTMLElement.prototype;
const { createElement } = Document.prototype;
const { create, defineProperties, setPrototypeOf } = Object;
const { apply } = Reflect;
const OwnFile = File;
const OwnStream = WritableStream;

/** A handle for a file that does not exist: whatever is written becomes a download of this name each time it is closed. */
export function savedFile(name: string): FileSystemFileHandle {
  let content: Blob = new Blob();
  let changed = Date.now();
  const save = (written: Blob): void => {
    content = written;
    changed = Date.now();
    download(written, name);
  };
  const own: Record<string, unknown> = {
    kind: 'file',
    name,
    getFile: async () => new OwnFile([content], name, { lastModified: changed }),
    createWritable: async (options?: { readonly keepExistingData?: boolean }) =>
      writable(new WrittenBytes(options?.keepExistingData === true ? content : undefined), save),
    queryPermission: async () => 'granted',
    requestPermission: async () => 'granted',
    isSameEntry: async (other: unknown) => other === handle,
  };
  const handle = create(FileSystemFileHandle.prototype, hidden(own)) as FileSystemFileHandle; // has all that it has
  return handle;
}

/** A stream as those of files: what it is given is in the file once it is closed. */
function writable(bytes: WrittenBytes, save: (written: Blob) => void): FileSystemWritableFileStream {
  const stream = new OwnStream({ write: (chunk) => bytes.take(chunk), close: () => save(bytes.blob()) });
  const write = async (chunk: unknown): Promise<void> => {
    const writer = stream.getWriter();
    const written = writer.write(chunk);
    writer.releaseLock();
    return written;
  };
  const own = {
    write,
    seek: (position: number) => write({ type: 'seek', position }),
    truncate: (size: number) => write({ type: 'truncate', size }),
  };
  setPrototypeOf(stream, FileSystemWritableFileStream.prototype);
  return defineProperties(stream, hidden(own)) as FileSystemWritableFileStream; // it has its methods now
}

function hidden(values: Readonly<Record<string, unknown>>): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, { value, writable: true, configurable: true }]),
  );
}

/** Has the browser download a blob, as by a link that nobody sees. */
function download(blob: Blob, name: string): void {
  const link = apply(createElement, document, ['a']) as HTMLAnchorElement; // by its name
  link.href = createObjectURL(blob);
  link.download = name;
  apply(click, link, []);
  setTimeout(() => revokeObjectURL(link.href), ADDRESS_MS);
}
