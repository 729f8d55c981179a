import type { Findings } from './judge.ts';

/** Sum of all findings about a file; `reason` is for people and logs. */
interface Outcome {
  readonly verdict: 'clean' | 'infected' | 'not-scanned' | 'encrypted';
  readonly reason: string;
}

const ENCRYPTED_REASONS = {
  'needs-password': 'encrypted: a password is needed to scan it',
  'wrong-password': 'encrypted: the password does not open it',
  unopenable: 'encrypted: it cannot be opened to be scanned',
} as const;

/**
 * Sums findings up. One finding of a virus, or of an archive that is built to deceive scanners, is enough; "clean" needs a scanner, and all of them.
 */
export function outcome({ encrypted, checks }: Findings): Outcome {
  const text = ({ plugin, detail }: Findings['checks'][number]): string =>
    detail === undefined ? plugin : `${plugin}: ${detail}`;
  const infected =
    checks.find(({ result }) => result === 'infected') ?? checks.find(({ result }) => result === 'suspicious');
  if (infected) return { verdict: 'infected', reason: text(infected) };
  if (encrypted !== 'no' && encrypted !== 'opened')
    return { verdict: 'encrypted', reason: ENCRYPTED_REASONS[encrypted] };
  if (checks.every(({ plugin }) => plugin === 'archive'))
    return { verdict: 'not-scanned', reason: 'there is no scanner' };
  const missed = checks.find(({ status, result }) => status === 'FAILED' || result !== 'clean');
  return missed
    ? { verdict: 'not-scanned', reason: text(missed) }
    : { verdict: 'clean', reason: 'no scanner found anything' };
}
