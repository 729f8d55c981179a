import { WebSocket } from 'ws';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import { Endpoint, parsePacket } from '../../core/protocol/endpoint.ts';
import { decodeFrame, KIND, Reassembly } from '../../core/protocol/frames.ts';
import type { PairAnswer } from '../../core/protocol/pairing.ts';
import { OpcodeTable } from '../../core/plugins/opcodes.ts';
import { Inbox } from '../../core/protocol/sequence.ts';
import { decodeJson, decodeSequenced, encodeUpstream, parseControl, SESSION_FOUND } from '../../core/protocol/wire.ts';
import { pairRequest } from '../../host/cell/tests/harness.ts';
import { OP } from '../../plugins/mirror/ops.ts';
import type { Batch } from '../../plugins/mirror/ops.ts';
import { applied, mirrorBatch, resync, unpackBatch } from '../../plugins/mirror/protocol.ts';
import { PLUGINS } from '../contract/plugin-folders.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const MAIN_FRAME = 1;
/** Deadline for everything that a person waits for, on a busy machine too, in ms. */
const DEADLINE_MS = PATIENCE_MS;

/** Close of a websocket. */
interface Closed {
  readonly code: number;
  readonly reason: string;
}

/**
 * A person without a browser: pairs and uses the protocol over a real connection, so that a test can violate every rule
 * of it. The caller ends it.
 */
export class RawPerson {
  readonly origin: string;
  readonly cookie: string;
  /** Answer to the pairing. */
  readonly answer: PairAnswer;
  /** The batches that the host has sent, in order. */
  readonly batches: { readonly frame: number; readonly batch: Batch }[] = [];
  /** The core's other messages that were received. */
  readonly told: { readonly name: string; readonly params: unknown }[] = [];
  /** Whether batches are reported as applied: a client that does not lags behind. */
  applies = true;
  /** Set once the connection has been closed. */
  closed: Closed | undefined;
  readonly #endpoint: Endpoint;
  #socket: WebSocket | undefined;
  #inbox = new Inbox();
  #seq = 0;

  private constructor(origin: string, cookie: string, answer: PairAnswer) {
    this.origin = origin;
    this.cookie = cookie;
    this.answer = answer;
    const table = new OpcodeTable(CORE_MESSAGES);
    for (const grant of answer.plugins ?? []) {
      const plugin = PLUGINS.find(({ id }) => id === grant.id);
      if (plugin) table.add(plugin.manifest, grant);
    }
    this.#endpoint = new Endpoint({
      table,
      transmit: (lane, body) => {
        this.#seq += 1;
        this.#socket?.send(JSON.stringify(encodeUpstream({ seq: this.#seq, lane, body })));
      },
      onFault: () => undefined,
      onUnhandled: ([, params], message) => {
        this.told.push({ name: message?.name ?? '', params });
        return true;
      },
    });
    this.#endpoint.handle(mirrorBatch, (message) => {
      const [frame] = message;
      const batch = unpackBatch(message);
      this.batches.push({ frame, batch });
      if (this.applies) this.#endpoint.send(applied, { frame, epoch: batch.epoch, seq: batch.seq });
    });
  }

  /** Pairs as a new person, opens a page and attaches. */
  static async arrive(origin: string, url: string): Promise<RawPerson> {
    const first = await fetch(`${origin}/`);
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const response = await fetch(`${origin}/r/pair`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(pairRequest(url)),
    });
    const answer = (await response.json()) as PairAnswer; // the host's own
    if (answer.cid === undefined) throw new Error(`not paired: ${response.status} ${JSON.stringify(answer)}`);
    const person = new RawPerson(origin, cookie, answer);
    await person.attach();
    return person;
  }

  /** Sends a request in this person's name. */
  request(
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    return fetch(`${this.origin}${path}`, { ...init, headers: { cookie: this.cookie, ...init.headers } });
  }

  /** Opens a websocket in this person's name, with the ids of the person's own tab unless others are given. */
  socket(names: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}): WebSocket {
    const query = new URLSearchParams({
      cid: this.answer.cid ?? '',
      tab_id: this.answer.tab_id ?? '',
      rid: this.answer.rid ?? '',
      cl: this.answer.cluster_id ?? '',
      chid: 'raw',
      msg_nr: '0',
      xid: 'raw',
      ...names,
    });
    return new WebSocket(`${this.origin.replace('http', 'ws')}/r/websocket?${query}`, {
      headers: { cookie: this.cookie, ...headers },
    });
  }

  /** Attaches as a new client, in place of an earlier one. */
  async attach(): Promise<void> {
    const socket = this.socket({ chid: `raw${Math.random().toString(36).slice(2)}` });
    const reassembly = new Reassembly();
    this.#socket = socket;
    this.#inbox = new Inbox();
    this.#seq = 0;
    this.closed = undefined;
    const found = new Promise<void>((resolve) => {
      socket.on('message', (data, isBinary) => {
        if (this.#socket !== socket) return; // messages of an earlier connection count by their own numbers
        if (isBinary)
          this.#frame(data as Buffer, reassembly); // ws emits Buffers by default
        else if ((data as Buffer).toString() === SESSION_FOUND) resolve();
      });
    });
    const ended = closing(socket);
    void ended.then((closed) => {
      if (this.#socket === socket) this.closed = closed;
    });
    const failed = ended.then(({ code, reason }) => {
      throw new Error(`not attached: ${code} ${reason}`);
    });
    await Promise.race([found, failed]);
    failed.catch(() => undefined); // it will be
  }

  /** Requests the page again, and resolves once the whole of it has come from the surrogate: the whole path works. */
  async expectWorking(): Promise<void> {
    if (this.closed) throw new Error(`the connection is closed: ${this.closed.code} ${this.closed.reason}`);
    const before = this.batches.length;
    this.#endpoint.send(resync, { frame: MAIN_FRAME, reason: 'a test' });
    await this.until(
      () => this.batches.slice(before).some(({ frame, batch }) => frame === MAIN_FRAME && batch.ops[0]?.[0] === OP.doc),
      'the page',
    );
  }

  /** Resolves once the condition holds. */
  async until(look: () => boolean, what: string, deadlineMs = DEADLINE_MS): Promise<void> {
    for (const deadline = performance.now() + deadlineMs; !look(); await new Promise((r) => setTimeout(r, 20)))
      if (performance.now() > deadline) throw new Error(`never came: ${what}`);
  }

  /** Ends the tab. */
  async leave(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
    await this.request('/r/unpair', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ safe_rid: this.answer.safe_rid }),
    });
  }

  #frame(bytes: Uint8Array, reassembly: Reassembly): void {
    for (const part of decodeFrame(bytes)) {
      const entry = reassembly.take(part);
      if (!entry) continue;
      if (entry.kind === KIND.control) {
        const { skip } = parseControl(decodeJson(entry.body));
        if (skip !== undefined) this.#inbox.skip(skip);
        continue;
      }
      const { seq, body } = decodeSequenced(entry.body);
      if (this.#inbox.accept(seq)) this.#endpoint.receive(parsePacket(decodeJson(body)));
      this.#socket?.send(JSON.stringify({ ack: this.#inbox.acknowledged }));
    }
  }
}

/** Resolves once a websocket is closed, or has been refused with an HTTP status. */
export async function closing(socket: WebSocket): Promise<Closed> {
  const refused = new Promise<Closed>((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve({ code: response.statusCode ?? 0, reason: 'refused' });
    });
  });
  socket.on('error', () => undefined); // `close` follows
  const closed = new Promise<Closed>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  return Promise.race([refused, closed]);
}

/** Counts of `/metrics`, by name with labels as written there. */
export async function countsOf(origin: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
