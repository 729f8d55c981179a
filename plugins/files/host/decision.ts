import type { FileFindings, SettingValues } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import type { RuleVerdict } from './rules/rules.ts';

/** Policy about files. */
export type FilePolicy = SettingValues<typeof manifest>['transfers'];
/** The part about scans. */
type ScanPolicy = Pick<FilePolicy, 'scan' | 'scan_failure' | 'encrypted'>;

/** Why a file does not go on. */
type BlockReason = 'infected' | 'encrypted' | 'not-scanned' | 'no-scanner' | 'rule';

/** Decision about a file that has been judged. */
type Decision =
  | { readonly does: 'allow'; readonly isScanned: boolean }
  | { readonly does: 'block' | 'quarantine'; readonly reason: BlockReason }
  /** The person is asked for its password. */
  | { readonly does: 'ask' };

/** The way in which a file has to be judged for {@link decide}. */
export const judgedFor = ({ scan, encrypted }: ScanPolicy): { readonly scan: boolean; readonly open: boolean } => ({
  scan: scan !== 'off',
  open: encrypted === 'block',
});

/**
 * Decides about a file: the stricter one of what its scan and the rules say. What would go into quarantine is blocked where nothing is kept
 * there. A rule decides before a password is asked for.
 */
export function decide(findings: FileFindings, policy: FilePolicy, rule?: RuleVerdict): Decision {
  const scanned = decideByScan(findings, policy);
  const kept = policy.quarantine_days > 0 && rule?.action !== 'block' ? 'quarantine' : 'block';
  if (scanned.does === 'block') return scanned.reason === 'infected' ? { does: kept, reason: scanned.reason } : scanned;
  if (rule && rule.action !== 'allow') return { does: kept, reason: 'rule' };
  return scanned;
}

/**
 * Decides by the scan. What a scanner calls infected never goes on. A password is asked for only where a scanner looks at what it opens;
 * whatever is not scanned after that is a failed scan.
 */
function decideByScan({ verdict, isLocked, scanners }: FileFindings, policy: ScanPolicy): Decision {
  if (verdict === 'infected') return { does: 'block', reason: 'infected' };
  if (verdict === 'clean') return { does: 'allow', isScanned: true };
  if (verdict === 'encrypted' && policy.encrypted === 'block') return { does: 'block', reason: 'encrypted' };
  if (policy.scan === 'off') return { does: 'allow', isScanned: false };
  if (scanners === 0)
    return policy.scan === 'required' ? { does: 'block', reason: 'no-scanner' } : { does: 'allow', isScanned: false };
  if (verdict === 'encrypted' && policy.encrypted === 'allow') return { does: 'allow', isScanned: false };
  if (verdict === 'encrypted' && isLocked) return { does: 'ask' };
  return policy.scan_failure === 'block'
    ? { does: 'block', reason: verdict === 'encrypted' ? 'encrypted' : 'not-scanned' }
    : { does: 'allow', isScanned: false };
}
