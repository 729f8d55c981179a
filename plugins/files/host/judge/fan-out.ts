/** One reader of a stream that several read. */
interface Reader {
  /** Fulfilled once the reader asks for a chunk, or has left. */
  wanting: PromiseWithResolvers<void>;
  offered: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>>;
  hasLeft: boolean;
}

const newReader = (): Reader => ({
  wanting: Promise.withResolvers(),
  offered: Promise.withResolvers(),
  hasLeft: false,
});

const END = { done: true, value: undefined } as const;

function readerStream(reader: Reader): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: async () => {
      if (reader.hasLeft) return END;
      reader.wanting.resolve();
      return reader.offered.promise;
    },
    return: async () => {
      reader.hasLeft = true;
      reader.wanting.resolve();
      return END;
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/**
 * Shows one stream to several readers at the pace of the slowest, one chunk in memory. A reader that settles or leaves early holds none of the others
 * up; once all have, the source is left.
 *
 * @returns how each reader ended; a fault of the source is the fault of all that read it
 */
export async function fanOut<T>(
  source: AsyncIterable<Uint8Array>,
  readers: readonly ((stream: AsyncIterable<Uint8Array>) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const states = readers.map(newReader);
  const results = readers.map(async (read, index) => {
    const state = states[index] ?? newReader();
    try {
      return await read(readerStream(state));
    } finally {
      state.hasLeft = true;
      state.wanting.resolve();
    }
  });
  const settled = Promise.allSettled(results);
  const offer = (give: (offered: Reader['offered']) => void): void => {
    for (const state of states) {
      if (state.hasLeft) continue;
      const { offered } = state;
      state.wanting = Promise.withResolvers();
      state.offered = Promise.withResolvers();
      // A reader may leave without having asked.
      offered.promise.catch(() => undefined);
      give(offered);
    }
  };
  const allWant = (): Promise<unknown> => Promise.all(states.map(({ wanting }) => wanting.promise));
  try {
    await allWant();
    for await (const value of source) {
      if (states.every(({ hasLeft }) => hasLeft)) break;
      offer((offered) => offered.resolve({ done: false, value }));
      await allWant();
    }
    offer((offered) => offered.resolve(END));
  } catch (error) {
    offer((offered) => offered.reject(error));
  }
  return settled;
}
