import type { FastifyRequest } from 'fastify';
import { ByteAllowances } from '../base/byte-allowances.ts';
import type { Metrics } from './metrics.ts';

/**
 * Bytes of lines that the requests of one person, and those of all people of one network address, may cause in the host's log: at once, and
 * in an hour. People are made by new cookies.
 */
const PERSON_BYTES = { burst: 256 * 1024, perHour: 1024 * 1024 };
const ADDRESS_BYTES = { burst: 2 * 1024 * 1024, perHour: 4 * 1024 * 1024 };
/** Size of a line beside its text and its data. */
const LINE_BYTES = 150;
/** Longest text of a line, in UTF-16 units. */
const MAX_TEXT = 500;

type Level = 'info' | 'error';

/** Writes lines that requests cause to the host's log, as many as their people may cause; the others are counted. */
export class RequestLines {
  readonly #metrics: Pick<Metrics, 'fault'>;
  readonly #people = new ByteAllowances(PERSON_BYTES);
  readonly #addresses = new ByteAllowances(ADDRESS_BYTES);

  constructor(metrics: Pick<Metrics, 'fault'>) {
    this.#metrics = metrics;
  }

  write(request: FastifyRequest, level: Level, data: object, message: string): void {
    const text = message.slice(0, MAX_TEXT);
    if (this.#may(request, LINE_BYTES + sizeOf(data) + text.length)) request.log[level](data, text);
    else this.#metrics.fault('client', 'lines-dropped');
  }

  #may(request: FastifyRequest, bytes: number): boolean {
    const { address = '' } = request; // this machine has none, but a share like others
    // One that is refused early has no person yet.
    const person = (request.person as FastifyRequest['person'] | undefined)?.subject ?? '';
    return this.#people.take(person, bytes) && this.#addresses.take(address, bytes);
  }
}

/** Errors are written with their stacks. */
function sizeOf(data: object): number {
  const { err } = data as { readonly err?: unknown }; // compared below
  return err instanceof Error ? (err.stack ?? err.message).length : JSON.stringify(data).length;
}
