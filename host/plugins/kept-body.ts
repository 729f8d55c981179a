import type { CallOptions, CallResult } from '../link/api.ts';
import type { ServiceStream } from '../contracts/service-scope.ts';
import { TAKE_BODY } from './service-protocol.ts';

/**
 * Body of a service's answer that the gateway keeps. As the body of a route's answer only its name crosses to the gateway, which passes the bytes on; read
 * here, it comes as any other body.
 */
export class KeptBody implements ServiceStream {
  /** Name by which the gateway knows it, once. */
  readonly name: string;
  readonly #call: (method: string, params: unknown, options: CallOptions) => Promise<CallResult>;

  constructor(name: string, call: (method: string, params: unknown, options: CallOptions) => Promise<CallResult>) {
    this.name = name;
    this.#call = call;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { body } = await this.#take();
    if (body) yield* body;
  }

  abort(reason?: unknown): void {
    this.#take().then(
      ({ body }) => body?.abort(reason),
      () => undefined, // it is over
    );
  }

  #take(): Promise<CallResult> {
    return this.#call(TAKE_BODY, { name: this.name }, {});
  }
}
