import { AppError, toAppError } from '../../../host/plugin.ts';
import type { DeskFile, FileCheck, FileFindings, FileState, ServiceClient, SizeLimit } from '../../../host/plugin.ts';
import { decide, judgedFor } from './decision.ts';
import type { FilePolicy } from './decision.ts';
import { readJudgement } from './judgements.ts';
import { append, complete, judge, quarantine, read, remove, sizeOf } from './methods.ts';
import { Parts } from './parts.ts';
import { limitOf, ruleFor } from './rules/rules.ts';
import type { NamedFile, RuleVerdict } from './rules/rules.ts';
import type { Turns } from './turns.ts';

/** Longest address in the facts about a quarantined file, and of all of them together. */
const MAX_ADDRESS = 2000;
const MAX_ADDRESSES = 8000;

export interface DeskTurns {
  readonly receiving: Turns;
  readonly judging: Turns;
  readonly removing: Turns;
}

interface OwnFileFacts extends Pick<DeskFile, 'key'>, NamedFile {
  readonly policy: FilePolicy;
  readonly turns: DeskTurns;
  /** The id of the tab whose turns it takes: a tab's files share them. */
  readonly tab: string;
}

/** A file of the desk of one session. */
export class OwnFile implements DeskFile {
  readonly key: string;
  readonly name: string;
  size = 0;
  sha256: string | undefined;
  state: FileState = { is: 'growing' };
  readonly limit: SizeLimit | undefined;
  #attempts = 0;
  readonly #service: ServiceClient;
  readonly #policy: FilePolicy;
  readonly #named: NamedFile;
  readonly #turns: DeskTurns;
  readonly #tab: string;

  constructor(service: ServiceClient, { key, policy, turns, tab, ...named }: OwnFileFacts) {
    this.#service = service;
    this.#policy = policy;
    this.#turns = turns;
    this.#tab = tab;
    this.#named = named;
    this.key = key;
    this.name = named.name;
    this.limit = limitOf(named, policy.rules);
  }

  async receive(
    bytes: AsyncIterable<Uint8Array>,
    { maxBytes, signal }: Parameters<DeskFile['receive']>[1],
  ): Promise<void> {
    const parts = new Parts(bytes);
    const most = Math.min(maxBytes, this.limit?.bytes ?? Infinity);
    try {
      while (!parts.isOver) await this.#receivePart(parts, most, signal);
    } catch (thrown) {
      const isPastLimit = most < maxBytes && toAppError(thrown).code === 'file-too-large';
      if (!isPastLimit) throw thrown;
      await this.block();
      throw new AppError('file-blocked', 'A rule of the policy blocks files of this size.');
    } finally {
      parts.close();
    }
  }

  async #receivePart(parts: Parts, maxBytes: number, signal: AbortSignal | undefined): Promise<void> {
    using turn = await this.#turns.receiving.next(signal, this.#tab);
    const params = { key: this.key, offset: this.size, maxBytes };
    try {
      const options = { body: parts.next(turn), ...(signal && { signal }) };
      const { value } = await this.#service.call(append, params, options);
      this.size = value.size;
    } catch (thrown) {
      await this.#look();
      throw thrown;
    }
  }

  /** Finds out how much has come before the sender was cut. */
  async #look(): Promise<void> {
    const asked = this.#service.call(sizeOf, { key: this.key });
    this.size = await asked.then(({ value }) => value.size).catch(() => this.size); // the file has failed: it is over
  }

  async bytes(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const params = { key: this.key, first: 0, end: this.size };
    const { body } = await this.#service.call(read, params, { signal });
    return body ?? nothing();
  }

  async complete(): Promise<void> {
    const { value } = await this.#service.call(complete, { key: this.key });
    this.size = value.size;
    this.sha256 = value.sha256;
    if (this.state.is === 'growing') this.state = { is: 'checking', checks: [] };
  }

  async judge({ password, signal }: Parameters<DeskFile['judge']>[0] = {}): Promise<FileFindings> {
    if (this.state.is === 'locked') this.state = { is: 'checking', checks: [] };
    using _turn = await this.#turns.judging.next(signal);
    const how = { ...judgedFor(this.#policy), ...(password !== undefined && { password }) };
    const params = { key: this.key, ...how };
    const { body } = await this.#service.call(judge, params, signal ? { signal } : {});
    const findings = await readJudgement(body ?? nothing(), (checks) => {
      if (this.state.is === 'checking') this.state = { is: 'checking', checks };
    });
    signal?.throwIfAborted();
    await this.#decide(findings);
    return findings;
  }

  async #decide(findings: FileFindings): Promise<void> {
    if (this.state.is !== 'checking') return;
    const verdict = ruleFor({ ...this.#named, size: this.size, type: findings.type }, this.#policy.rules);
    const checks = withRule(findings.checks, verdict);
    const decision = decide(findings, this.#policy, verdict);
    switch (decision.does) {
      case 'allow':
        this.state = { is: 'allowed', isScanned: decision.isScanned, checks };
        return;
      case 'ask':
        this.state = { is: 'locked', attempt: ++this.#attempts };
        return;
      case 'block':
      case 'quarantine': {
        const { reason } = decision;
        const message = reason === 'rule' && verdict?.message !== undefined && { message: verdict.message };
        const why = { reason, checks, ...(verdict && { rule: verdict.rule }), ...message };
        const isKept = decision.does === 'quarantine' && (await this.#quarantine(findings, why));
        if (isOver(this.state)) return; // it was ended meanwhile
        this.state = { is: isKept ? 'quarantined' : 'blocked', ...why };
        if (!isKept) await this.#remove();
      }
    }
  }

  /** @returns whether it is kept: otherwise nobody gets it either */
  async #quarantine(
    { type, verdict, reason: finding }: FileFindings,
    { reason, rule }: { readonly reason: string; readonly rule?: string },
  ): Promise<boolean> {
    const days = this.#policy.quarantine_days;
    const longest = Math.min(MAX_ADDRESS, Math.floor(MAX_ADDRESSES / this.#named.addresses.length));
    const addresses = this.#named.addresses.map((address) => address.slice(0, longest));
    const facts = { type: type.mime, verdict, finding, reason, addresses, ...(rule !== undefined && { rule }) };
    const params = { key: this.key, days, facts };
    return this.#service.call(quarantine, params).then(
      () => true,
      () => false, // no room: the service says so in the log
    );
  }

  async refresh(): Promise<void> {
    const { state } = this;
    if (state.is !== 'quarantined' && state.is !== 'allowed') return;
    try {
      const { value } = await this.#service.call(sizeOf, { key: this.key });
      this.size = value.size;
      if (state.is === 'quarantined') this.state = { is: 'allowed', isScanned: false, checks: state.checks };
    } catch (thrown) {
      const { code } = toAppError(thrown);
      if (isGone(code)) this.state = { is: 'failed', reason: code };
    }
  }

  async block(): Promise<void> {
    const { limit } = this;
    if (!limit || isOver(this.state)) return;
    const { rule, message } = limit;
    const checks = withRule([], { action: 'block', rule });
    this.state = { is: 'blocked', reason: 'rule', checks, rule, ...(message !== undefined && { message }) };
    await this.#remove();
  }

  async end(state: Parameters<DeskFile['end']>[0]): Promise<void> {
    if (isOver(this.state) && this.state.is !== 'allowed') return;
    this.state = state;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    using _turn = await this.#turns.removing.next(); // a folder of files ends at once
    const params = { key: this.key };
    await this.#service.call(remove, params).catch((thrown: unknown) => toAppError(thrown)); // it is removed after its time
  }
}

/** The checks, and what the rules say. */
function withRule(checks: readonly FileCheck[], verdict: RuleVerdict | undefined): readonly FileCheck[] {
  if (!verdict) return checks;
  return [...checks, { plugin: 'rules', status: 'FINISHED', result: verdict.action, rule: verdict.rule }];
}

/** Whether an error says that the store has a file no longer. */
export const isGone = (code: string): boolean => code === 'file-expired' || code === 'file-unknown';

/** Whether nothing more becomes of a file by itself. */
export const isOver = ({ is }: FileState): boolean => is !== 'growing' && is !== 'checking' && is !== 'locked';

/** A body without bytes. */
export async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}
