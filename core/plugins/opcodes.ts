import { AppError } from '../protocol/errors.ts';
import type { OpTable } from '../protocol/endpoint.ts';
import type { AnyMessage } from '../protocol/message.ts';
import { messagesOf } from '../contracts/manifest.ts';
import type { AnyManifest } from '../contracts/manifest.ts';

/** First opcode of plugins; below it are the core's own. */
export const FIRST_PLUGIN_OPCODE = 64;

/** Entry for an enabled plugin in the answer to pairing (design: versions). */
export interface PluginGrant {
  readonly id: string;
  readonly version: string;
  readonly variant: string;
  /** Opcode of its first message. */
  readonly base: number;
  /** Number of its messages: a client whose copy has another number is too old, or too new. */
  readonly count: number;
  /** The flag that has decided on it: its activation is reported as an exposure. */
  readonly flag?: string;
}

/** Lays out opcodes for the plugins of a session, in the order given. `flags` are the capabilities that a flag has decided. */
export function grantOpcodes(
  plugins: readonly { manifest: AnyManifest; variant: string }[],
  flags: readonly string[] = [],
): PluginGrant[] {
  let base = FIRST_PLUGIN_OPCODE;
  return plugins.map(({ manifest, variant }) => {
    const count = messagesOf(manifest).length;
    const flag =
      manifest.capability !== undefined && flags.includes(manifest.capability) ? manifest.capability : undefined;
    const grant = {
      id: manifest.id,
      version: manifest.version,
      variant,
      base,
      count,
      ...(flag !== undefined && { flag }),
    };
    base += count;
    return grant;
  });
}

/** The opcode table of one channel: the core's messages and those of the granted plugins. */
export class OpcodeTable implements OpTable {
  readonly #byOp = new Map<number, AnyMessage>();
  readonly #byName = new Map<string, number>();
  readonly #owners = new Map<string, string>();

  constructor(core: readonly AnyMessage[]) {
    core.forEach((message, index) => {
      this.#set(index + 1, message, 'core');
    });
  }

  /** Adds a plugin's messages. @throws AppError `version-mismatch` when its message count is not the granted one. */
  add(manifest: Pick<AnyManifest, 'id' | 'version' | 'protocol'>, grant: PluginGrant): void {
    const messages = messagesOf(manifest);
    if (messages.length !== grant.count || manifest.version !== grant.version)
      throw new AppError('version-mismatch', `${manifest.id}: ${manifest.version} here, ${grant.version} granted`);
    messages.forEach((message, index) => {
      this.#set(grant.base + index, message, manifest.id);
    });
  }

  opOf(message: { readonly name: string }): number {
    const op = this.#byName.get(message.name);
    if (op === undefined) throw new AppError('unknown-message', `${message.name} is not part of this session`);
    return op;
  }

  messageOf(op: number | string): AnyMessage | undefined {
    return this.#byOp.get(typeof op === 'string' ? (this.#byName.get(op) ?? -1) : op);
  }

  /** The plugin that owns a message, by its opcode or name. */
  ownerOf(op: number | string): string | undefined {
    const message = this.messageOf(op);
    return message && this.#owners.get(message.name);
  }

  #set(op: number, message: AnyMessage, owner: string): void {
    if (this.#byName.has(message.name))
      throw new AppError(
        'message-taken',
        `${message.name} is declared by ${this.#owners.get(message.name) ?? ''} and ${owner}`,
      );
    this.#byOp.set(op, message);
    this.#byName.set(message.name, op);
    this.#owners.set(message.name, owner);
  }
}
