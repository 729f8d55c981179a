import type { WebSocket } from 'ws';
import { AppError } from '../../core/protocol/errors.ts';
import type { Person } from '../base/person.ts';
import { ByteAllowances } from '../base/byte-allowances.ts';

const MIB = 1024 * 1024;
const HOUR_S = 3600;
/** Bytes of messages of one person; at once a client sends again at most 8 MiB that were not acknowledged. */
const PERSON = { burst: 8 * MIB, perHour: HOUR_S * (MIB / 2) };
/** The same of one client address, which may be that of a whole office. */
const ADDRESS = { burst: 32 * MIB, perHour: HOUR_S * 4 * MIB };
/** Cost of a message beside its bytes. */
const MESSAGE_BYTES = 128;
/** Time that a websocket is slowed down for; one that has caused more is ended. In ms. */
const MAX_WAIT_MS = 16_000;
/** Bytes that may wait for a client that sends pings: an answer to each of them waits, too. */
const MAX_UNREAD_BYTES = 16 * MIB;

/** A sender, as far as bytes are shared out. */
type Sender = Pick<Person, 'subject' | 'address'>;

/** Meters messages from clients, inflated: on websockets and in JSON bodies, for each person and each client address. */
export class UpstreamMeter {
  readonly #people = new ByteAllowances(PERSON);
  readonly #addresses = new ByteAllowances(ADDRESS);

  /** Takes a message that has come or will come. Returns the time until its sender may send more, in ms. */
  spend(sender: Sender, bytes: number): number {
    return this.#wait(sender, bytes + MESSAGE_BYTES);
  }

  /** Refuses who has to wait. @throws AppError `too-many-requests` */
  admit(sender: Sender): void {
    const waitMs = this.#wait(sender, 0);
    if (waitMs > 0)
      throw new AppError('too-many-requests', 'Too many bytes were sent.', {
        retryable: true,
        data: { retryAfterS: Math.ceil(waitMs / 1000) },
      });
  }

  /**
   * Meters a websocket, its pings too: it is read no faster than its sender may send.
   *
   * @returns takes the size of a message; false for one that is not to be taken in: its sender floods
   */
  meter(socket: WebSocket, sender: Sender): (bytes: number) => boolean {
    let rest: ReturnType<typeof setTimeout> | undefined;
    const take = (bytes: number): boolean => {
      const waitMs = this.spend(sender, bytes);
      if (waitMs > 0 && !socket.isPaused) {
        socket.pause(); // what has been read already still comes
        rest = setTimeout(() => socket.resume(), waitMs);
      }
      return waitMs <= MAX_WAIT_MS;
    };
    socket.on('ping', (data) => {
      if (!take(data.length) || socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    });
    socket.once('close', () => clearTimeout(rest));
    return take;
  }

  #wait({ subject, address }: Sender, bytes: number): number {
    const own = this.#people.spend(subject, bytes);
    return address === undefined ? own : Math.max(own, this.#addresses.spend(address, bytes));
  }
}
