import { ErrorCode, OpenFeature, ProviderEvents, StandardResolutionReasons } from '@openfeature/server-sdk';
import type { Client, EvaluationDetails, Provider } from '@openfeature/server-sdk';
import { AppError } from '../../core/protocol/errors.ts';
import type { Browser } from './browser.ts';

/** Person for whom a flag is evaluated. The key gives the same person the same variant each time. */
interface FlagContext {
  readonly targetingKey: string;
  readonly tenant: string;
  readonly groups: readonly string[];
  readonly user: string;
  readonly browser: Browser;
}

/** Value of a flag for a capability. */
export interface Assignment {
  /** Off, on, or the name of a plugin's variant. */
  readonly value: boolean | string;
  /** The flag's variant; `error` when it could not be evaluated, and the value is off. */
  readonly variant: string;
  readonly reason: string;
}

/** Feature flags of any OpenFeature provider. */
export interface Flags {
  /** Evaluates those of the named flags that exist. Never rejects: a flag that cannot be evaluated is off. */
  evaluate(names: Iterable<string>, context: FlagContext): Promise<ReadonlyMap<string, Assignment>>;
  /** Calls the listener when the provider has other flags. Returns a function that unregisters it. */
  onChange(listener: () => void): () => void;
}

/** Maximum length of a provider's text; longer ones are cut. */
const MAX_TEXT = 200;

let clients = 0;

/**
 * Opens flags through OpenFeature.
 *
 * @throws AppError `no-flags` when the provider does not become ready.
 */
export async function openFlags(provider: Provider): Promise<Flags> {
  const domain = `vitrine-${(clients += 1)}`; // OpenFeature has one registry per process
  try {
    await OpenFeature.setProviderAndWait(domain, provider);
  } catch (cause) {
    throw new AppError('no-flags', `the provider of flags, ${provider.metadata.name}, is not ready`, { cause });
  }
  const client = OpenFeature.getClient(domain);
  return {
    async evaluate(names, context) {
      const { targetingKey, tenant, groups, user, browser } = context;
      const given = { targetingKey, tenant, groups: [...groups], user, browser: { ...browser } };
      const found = await Promise.all(
        [...new Set(names)].map(async (name) => [name, await evaluate(client, name, given)] as const),
      );
      return new Map(found.flatMap(([name, assignment]) => (assignment ? [[name, assignment] as const] : [])));
    },
    onChange(listener) {
      client.addHandler(ProviderEvents.ConfigurationChanged, listener);
      return () => client.removeHandler(ProviderEvents.ConfigurationChanged, listener);
    },
  };
}

async function evaluate(
  client: Client,
  name: string,
  context: Parameters<Client['getBooleanDetails']>[2] & {},
): Promise<Assignment | undefined> {
  let details: EvaluationDetails<boolean | string> = await client.getBooleanDetails(name, false, context);
  if (details.errorCode === ErrorCode.TYPE_MISMATCH) details = await client.getStringDetails(name, '', context);
  const { errorCode, value, variant, reason = 'UNKNOWN' } = details;
  // A flag that is switched off has no value, whatever a provider answers.
  if (errorCode === ErrorCode.FLAG_NOT_FOUND || reason === StandardResolutionReasons.DISABLED) return undefined;
  const isTooLong = typeof value === 'string' && value.length > MAX_TEXT;
  if (errorCode !== undefined || value === '' || isTooLong)
    return { value: false, variant: 'error', reason: errorCode ?? reason.slice(0, MAX_TEXT) };
  return { value, variant: (variant ?? String(value)).slice(0, MAX_TEXT), reason: reason.slice(0, MAX_TEXT) };
}
