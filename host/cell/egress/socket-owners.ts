import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** The kernel's table of TCP sockets over IPv4, which everybody may read. */
const TABLE = '/proc/net/tcp';
/** Times that the table is read: one that changes while it is read may lack a line. */
const MAX_READS = 3;
const LOOPBACK = '127.0.0.1';
/** {@link LOOPBACK} as the kernel writes it: the bytes of its address as one number of this machine. */
const LOOPBACK_HEX = endianness() === 'LE' ? '0100007F' : '7F000001';

/** Both ends of a connection from this machine to one of its own ports. */
interface LocalConnection {
  /** Address of the one who has connected. */
  readonly address: string | undefined;
  readonly port: number | undefined;
  /** Port that they have connected to. */
  readonly to: number | undefined;
}

/** Tells whose connections to a port of this machine are: which user has opened them. */
export class SocketOwners {
  readonly #read: () => Promise<string>;
  #reading: Promise<string> | undefined;
  #next: Promise<string> | undefined;

  /** @param read returns the kernel's table of sockets */
  constructor(read: () => Promise<string> = () => readFile(TABLE, 'latin1')) {
    this.#read = read;
  }

  /**
   * Returns the user id of the other end of a connection; undefined when no such connection is open on this machine.
   *
   * @throws Error where the table of sockets cannot be read
   */
  async ownerOf({ address, port, to }: LocalConnection): Promise<number | undefined> {
    if (address !== LOOPBACK || port === undefined || to === undefined) return undefined;
    const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');
    const ends = ` ${LOOPBACK_HEX}:${hex(port)} ${LOOPBACK_HEX}:${hex(to)} `;
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const table = await this.#table();
      const at = table.indexOf(ends);
      // After the ends: state, queues, timer, retransmits, user id.
      const uid = at < 0 ? undefined : table.slice(at + ends.length, at + ends.length + 100).split(/ +/)[4];
      if (uid !== undefined) return Number(uid);
    }
    return undefined;
  }

  /** The table as it is from now on: one reading is for all who ask before it begins. */
  #table(): Promise<string> {
    if (this.#next) return this.#next;
    const before = this.#reading;
    if (!before) return (this.#reading = this.#begin());
    return (this.#next = before
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return (this.#reading = this.#begin());
      }));
  }

  #begin(): Promise<string> {
    const reading = this.#read();
    const over = (): void => {
      if (this.#reading === reading) this.#reading = undefined;
    };
    reading.then(over, over);
    return reading;
  }
}
