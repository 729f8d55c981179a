import type { ClientScope } from '../../../core/index.ts';

/** Bytes of a picture that are read at a time. */
const SLICE_BYTES = 256 * 1024;

/** All that is pasted, as far as it can be read; it ends early where a picture cannot. */
export async function* readPasted(
  texts: readonly Uint8Array[],
  picture: Blob | undefined,
  events: ClientScope['events'],
): AsyncGenerator<Uint8Array, void> {
  const failed = (name: 'tc-paste-error' | 'tc-image-paste-error', why: string): void =>
    events.report(name, { why }, { level: 'error' });
  let isOver = false;
  try {
    yield* texts;
    for (let at = 0; picture && at < picture.size; at += SLICE_BYTES)
      yield new Uint8Array(await picture.slice(at, at + SLICE_BYTES).arrayBuffer());
    isOver = true;
  } catch (thrown) {
    isOver = true;
    failed('tc-image-paste-error', String(thrown));
  } finally {
    if (!isOver) failed('tc-paste-error', 'the host takes no more of it');
  }
}
