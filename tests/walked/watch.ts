import { writeFile } from 'node:fs/promises';
import type { BrowserContext, Page, Response, WebSocket } from 'playwright/test';
import { messagesOf } from '../../core/contracts/manifest.ts';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import { OPCODE_REPLY, parsePacket } from '../../core/protocol/endpoint.ts';
import { decodeFrame, KIND, Reassembly } from '../../core/protocol/frames.ts';
import { decodeJson, decodeSequenced } from '../../core/protocol/wire.ts';
import type { PluginGrant } from '../../core/plugins/opcodes.ts';
import { PLUGINS } from '../contract/plugin-folders.ts';
import { PAIR, partsOfValue } from './parts.ts';

/** Notes which parts of the protocol go over the channels of browsers, in tests that use the product as a person does. */
export class WireWatch {
  readonly #seen = new Set<string>();
  readonly #known = new WeakSet<BrowserContext>();
  /** Plugins that each session has granted, by its cid and the attempts to pair with it. */
  readonly #grants = new Map<string, Map<string, PluginGrant>>();
  /** Parts by session and opcode: they are named once its pairing has been read. */
  readonly #waiting = new Map<string, Map<number | string, Set<string>>>();
  readonly #reading = new Set<Promise<void>>();

  /** Watches all pages of a browser context from now on. */
  watch(context: BrowserContext): void {
    if (this.#known.has(context)) return;
    this.#known.add(context);
    context.on('response', (response) => {
      if (!/\/r\/(?:re)?pair\?|\/r\/(?:re)?pair$/.test(response.url())) return;
      const reading = this.#pairing(response).catch(() => undefined); // its page has gone
      this.#reading.add(reading);
      void reading.then(() => this.#reading.delete(reading));
    });
    context.on('page', (page) => this.#page(page));
  }

  /** Writes down what has been seen: a JSON array of parts. */
  async write(file: string): Promise<void> {
    await Promise.all(this.#reading);
    for (const [session, byOp] of this.#waiting)
      for (const [op, parts] of byOp) {
        const name = this.#nameOf(session, op);
        for (const part of name === undefined ? [] : parts) this.#seen.add(`${name}${part}`);
      }
    await writeFile(file, JSON.stringify([...this.#seen].sort()));
  }

  async #pairing(response: Response): Promise<void> {
    const request = response.request().postDataJSON() as { readonly attempt?: string };
    for (const part of partsOfValue(PAIR, request)) this.#seen.add(part);
    const answer = (await response.json()) as { readonly cid?: string; readonly plugins?: readonly PluginGrant[] };
    for (const part of partsOfValue(`${PAIR} result`, answer)) this.#seen.add(part);
    for (const session of [answer.cid, request.attempt]) {
      if (session === undefined) continue;
      const grants = this.#grants.get(session) ?? new Map<string, PluginGrant>();
      this.#grants.set(session, grants);
      for (const grant of answer.plugins ?? []) grants.set(grant.id, grant);
    }
  }

  #page(page: Page): void {
    page.on('websocket', (socket) => {
      const { searchParams } = new URL(socket.url());
      // The first one of a tab is opened before its session is known.
      const session = searchParams.get('cid') ?? searchParams.get('attempt');
      if (session !== null) this.#socket(socket, session);
    });
  }

  #socket(socket: WebSocket, session: string): void {
    const reassembly = new Reassembly();
    /** Opcodes of calls in each direction, by their number. */
    const calls = { up: new Map<number, number | string>(), down: new Map<number, number | string>() };
    const packet = (way: 'up' | 'down', value: unknown): void => {
      const [op, params, call = 0] = parsePacket(value);
      if (op === OPCODE_REPLY) {
        const [of, isDone, result] = params as readonly [number, boolean, unknown];
        const asked = calls[way === 'up' ? 'down' : 'up'].get(of);
        if (asked !== undefined && isDone) this.#note(session, asked, partsOfValue(' result', result));
        return;
      }
      if (call !== 0) calls[way].set(call, op);
      this.#note(session, op, partsOfValue('', params));
    };
    socket.on('framesent', ({ payload }) => {
      const text = String(payload);
      if (text.startsWith('[')) packet('up', (JSON.parse(text) as unknown[]).slice(2)); // others are control messages
    });
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return;
      for (const entry of decodeFrame(payload)) {
        const whole = reassembly.take(entry);
        if (whole?.kind !== KIND.data) continue;
        const { body } = decodeSequenced(whole.body);
        if (body[0]) packet('down', decodeJson(body)); // others are pieces of bodies, or replaced by newer ones
      }
    });
  }

  #note(session: string, op: number | string, parts: Iterable<string>): void {
    const byOp = this.#waiting.get(session) ?? new Map<number | string, Set<string>>();
    this.#waiting.set(session, byOp);
    const seen = byOp.get(op) ?? new Set<string>();
    byOp.set(op, seen);
    for (const part of parts) seen.add(part);
  }

  #nameOf(session: string, op: number | string): string | undefined {
    if (typeof op === 'string') return undefined;
    if (op <= CORE_MESSAGES.length) return CORE_MESSAGES[op - 1]?.name;
    for (const { id, base, count } of this.#grants.get(session)?.values() ?? []) {
      if (op < base || op >= base + count) continue;
      const plugin = PLUGINS.find((each) => each.id === id);
      return plugin && messagesOf(plugin.manifest)[op - base]?.name;
    }
    return undefined;
  }
}
