import { FlagdCore } from '@openfeature/flagd-core';
import { ErrorCode } from '@openfeature/server-sdk';
import type { EvaluationContext, JsonValue, Provider, ResolutionDetails } from '@openfeature/server-sdk';
import type { Flag, FlagFile } from './flag-file.ts';
import type { PolicyFault } from './policy-error.ts';

/** flagd logs each evaluation that fails; the outcome reports the same. */
const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

function coreOf({ flags = {}, $evaluators }: FlagFile): FlagdCore {
  const core = new FlagdCore(undefined, SILENT, { disableDynamicCodeGeneration: true });
  core.setConfigurations(JSON.stringify({ flags, ...($evaluators && { $evaluators }) }));
  return core;
}

/** The flags of a policy file as an OpenFeature provider. */
export class FlagFileProvider implements Provider {
  readonly metadata = { name: 'vitrine-policy' };
  readonly runsOn = 'server';
  #core: FlagdCore;

  constructor(flags: FlagFile) {
    this.#core = coreOf(flags);
  }

  /** Replaces the flags. */
  replace(flags: FlagFile): void {
    this.#core = coreOf(flags);
  }

  async resolveBooleanEvaluation(
    flag: string,
    fallback: boolean,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>> {
    return this.#core.resolveBooleanEvaluation(flag, fallback, context, SILENT);
  }

  async resolveStringEvaluation(
    flag: string,
    fallback: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>> {
    return this.#core.resolveStringEvaluation(flag, fallback, context, SILENT);
  }

  async resolveNumberEvaluation(
    flag: string,
    fallback: number,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<number>> {
    return this.#core.resolveNumberEvaluation(flag, fallback, context, SILENT);
  }

  async resolveObjectEvaluation<T extends JsonValue>(
    flag: string,
    fallback: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    return this.#core.resolveObjectEvaluation(flag, fallback, context, SILENT);
  }
}

const operators = new Set<string>();

/** Whether rules may use an operator. */
export function isOperator(name: string): boolean {
  if (operators.has(name)) return true;
  const flag: Flag = { state: 'ENABLED', variants: { it: true }, defaultVariant: 'it', targeting: { [name]: [] } };
  const outcome = coreOf({ flags: { flag } }).getFlag('flag')?.evaluate({ targetingKey: 'somebody' }, SILENT);
  if (outcome?.errorCode === ErrorCode.PARSE_ERROR) return false;
  operators.add(name);
  return true;
}

/** Finds rules that flagd cannot read, by evaluating each flag once. */
export function targetingFaults(file: FlagFile): PolicyFault[] {
  let core: FlagdCore;
  try {
    core = coreOf(file);
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    return [
      { path: ['flags'], message: `flagd cannot read this: ${cause instanceof Error ? cause.message : String(cause)}` },
    ];
  }
  const context = { targetingKey: 'somebody', tenant: 'default', groups: [], user: 'somebody', browser: {} };
  return Object.keys(file.flags ?? {}).flatMap((name) => {
    const outcome = core.getFlag(name)?.evaluate(context, SILENT);
    return outcome?.reason === 'ERROR'
      ? [{ path: ['flags', name, 'targeting'], message: outcome.errorMessage ?? 'it cannot be evaluated' }]
      : [];
  });
}
