import { randomUUID } from 'node:crypto';
import type { SavedFile, SessionTab, SurrogateDownload } from '../../../host/plugin.ts';

/** A download whose bytes are all there before it begins. They are given once: the list keeps downloads longer than their bytes. */
export function wholeDownload(tab: SessionTab | undefined, { name, url, bytes }: SavedFile): SurrogateDownload {
  const held = { bytes: [bytes] };
  return {
    id: randomUUID(),
    name,
    url,
    redirects: [],
    posted: 0,
    tab,
    frame: undefined,
    opener: undefined,
    isAsked: true,
    received: bytes.length,
    total: bytes.length,
    ended: Promise.resolve('completed'),
    async *bytes() {
      yield* held.bytes.splice(0);
    },
    verify: () => Promise.resolve(), // nothing has written over them
    onProgress: () => () => undefined,
    sourceRead: () => undefined,
    cancel: () => undefined,
    remove: () => {
      held.bytes.length = 0;
      return Promise.resolve();
    },
  };
}
