import { expect, it } from 'vitest';
import type { FileFindings } from '../../../host/plugin.ts';
import { decide, judgedFor } from '../host/decision.ts';
import type { FilePolicy } from '../host/decision.ts';

const DEFAULTS: FilePolicy = {
  scan: 'if_there',
  scan_failure: 'block',
  encrypted: 'ask',
  quarantine_days: 0,
  rules: [],
};
const found = (verdict: FileFindings['verdict'], { scanners = 1, isLocked = false } = {}): FileFindings => ({
  type: { mime: 'application/zip', extension: 'zip', group: 'archive' },
  verdict,
  reason: '',
  isLocked,
  scanners,
  checks: [],
});
const decided = (findings: FileFindings, policy: Partial<FilePolicy> = {}): string => {
  const decision = decide(findings, { ...DEFAULTS, ...policy });
  return decision.does === 'allow'
    ? `allow, ${decision.isScanned ? '' : 'not '}scanned`
    : Object.values(decision).join(' ');
};

it('what is infected never passes, and what is clean does', () => {
  for (const scan of ['off', 'if_there', 'required'] as const)
    for (const scan_failure of ['allow', 'block'] as const)
      for (const encrypted of ['allow', 'ask', 'block'] as const) {
        const policy = { scan, scan_failure, encrypted };
        expect(decided(found('infected'), policy)).toBe('block infected');
        expect(decided(found('clean'), policy)).toBe('allow, scanned');
      }
});

it('without a scanner files pass as not scanned, unless one is required', () => {
  const nobody = found('not-scanned', { scanners: 0 });
  expect(decided(nobody)).toBe('allow, not scanned');
  expect(decided(nobody, { scan: 'off' })).toBe('allow, not scanned');
  expect(decided(nobody, { scan: 'required' })).toBe('block no-scanner');
  expect(decided(found('encrypted', { scanners: 0, isLocked: true }), { scan: 'required' })).toBe('block no-scanner');
  expect(decided(found('encrypted', { scanners: 0, isLocked: true }))).toBe('allow, not scanned');
});

it('what a scanner could not scan passes only where the policy lets it', () => {
  expect(decided(found('not-scanned'))).toBe('block not-scanned');
  expect(decided(found('not-scanned'), { scan: 'required' })).toBe('block not-scanned');
  expect(decided(found('not-scanned'), { scan_failure: 'allow' })).toBe('allow, not scanned');
});

it('encrypted files ask for a password where one opens them, and a scanner looks', () => {
  const locked = found('encrypted', { isLocked: true });
  const unopenable = found('encrypted');
  expect(decided(locked)).toBe('ask');
  expect(decided(locked, { encrypted: 'block' })).toBe('block encrypted');
  expect(decided(locked, { encrypted: 'allow' })).toBe('allow, not scanned');
  expect(decided(unopenable)).toBe('block encrypted');
  expect(decided(unopenable, { scan_failure: 'allow' })).toBe('allow, not scanned');
  for (const scan of ['off', 'if_there', 'required'] as const)
    expect(decided(found('encrypted', { scanners: 0 }), { scan, encrypted: 'block' })).toBe('block encrypted');
});

it('archives are opened without a scanner only to find out whether they are encrypted', () => {
  expect(judgedFor(DEFAULTS)).toEqual({ scan: true, open: false });
  expect(judgedFor({ ...DEFAULTS, scan: 'off', encrypted: 'block' })).toEqual({ scan: false, open: true });
});
