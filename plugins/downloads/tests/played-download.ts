import type { SessionTab, SurrogateDownload } from '../../../host/plugin.ts';

/** A download that the test plays. */
export function playedDownload(tab: SessionTab, more: Partial<SurrogateDownload> = {}) {
  const { promise: ended, resolve: end } = Promise.withResolvers<'completed' | 'canceled'>();
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>();
  const calls: string[] = [];
  let listener = (): void => undefined;
  const download = {
    id: 'guid',
    url: 'https://site.test/a',
    redirects: [],
    posted: 0,
    name: 'a.txt',
    tab,
    frame: 1,
    opener: undefined,
    isAsked: tab.gesture.isActive(),
    received: 0,
    total: undefined as number | undefined,
    ended,
    async *bytes() {
      yield Buffer.from(await rest);
    },
    onProgress: (given: () => void) => {
      listener = given;
      return () => undefined;
    },
    verify: () => Promise.resolve(),
    sourceRead: () => undefined,
    cancel: () => calls.push('cancel'),
    remove: () => Promise.resolve(calls.push('remove')),
    ...more,
  };
  return {
    download: download as unknown as SurrogateDownload,
    calls,
    progress: (received: number, total?: number) => {
      Object.assign(download, { received, total });
      listener();
    },
    complete: (text: string, how: 'completed' | 'canceled' = 'completed') => {
      finish(text);
      end(how);
    },
  };
}
