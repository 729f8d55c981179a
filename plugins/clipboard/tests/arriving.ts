import { byteBudget, IncomingBody } from '../../../core/protocol/bodies/incoming.ts';

/** A source that yields its bytes once a promise resolves. */
export async function* after(promise: Promise<void>, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await promise;
  yield bytes;
}

/** A body that the test hands over piece by piece. */
export function arriving(): IncomingBody {
  return new IncomingBody({
    windowBytes: 1000,
    budget: byteBudget(),
    grant: () => undefined,
    onOver: () => undefined,
  });
}
