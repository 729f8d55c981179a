import type { FileFindings, SettingValues } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';

/** Policy about scans of files. */
export type ScanPolicy = SettingValues<typeof manifest>['transfers'];

/** Why a file does not go on. */
type BlockReason = 'infected' | 'encrypted' | 'not-scanned' | 'no-scanner';

/** Decision about a file that has been judged. */
type Decision =
  | { readonly does: 'allow'; readonly isScanned: boolean }
  | { readonly does: 'block'; readonly reason: BlockReason }
  /** The person is asked for its password. */
  | { readonly does: 'ask' };

/** The way in which a file has to be judged for {@link decide}. */
export const judgedFor = ({ scan, encrypted }: ScanPolicy): { readonly scan: boolean; readonly open: boolean } => ({
  scan: scan !== 'off',
  open: encrypted === 'block',
});

/**
 * Decides about a file. What a scanner calls infected never goes on. A password is asked for only where a scanner looks at what it opens;
 * whatever is not scanned after that is a failed scan.
 */
export function decide({ verdict, isLocked, scanners }: FileFindings, policy: ScanPolicy): Decision {
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
