import { describe, expect, it } from 'vitest';
import type { PairRequest } from '../../protocol/pairing.ts';
import { isStrictAddress } from '../../protocol/strict-address.ts';
import { goElsewhere, loginFields } from '../exit/elsewhere.ts';
import type { LeavingTab } from '../exit/elsewhere.ts';
import { knownPosture } from '../pairing/pair-request.ts';
import type { Elsewhere } from '../pairing/pairing.ts';

function tab(changes: Partial<LeavingTab> = {}): {
  readonly leaving: LeavingTab;
  readonly went: string[];
  cleared: number;
} {
  const went: string[] = [];
  const found = { went, cleared: 0 };
  const location = {
    origin: 'https://vitrine.test',
    protocol: 'https:',
    href: 'https://vitrine.test/mpa/app/https://site.test/a?b#c',
    replace: (url: string) => void went.push(url),
  };
  const leaving: LeavingTab = {
    window: { location } as unknown as Window, // the parts of a window that are used
    page: { url: 'https://site.test/a?b#c', prefix: '/mpa/app/', mpaId: 'app' },
    request: { url: 'https://site.test/a?b#c', xheaders: { 'x-a': '1' } } as unknown as PairRequest, // the fields that are used
    proxied: false,
    store: { clear: () => void (found.cleared += 1) },
    ...changes,
  };
  return Object.assign(found, { leaving });
}

const go = (to: Elsewhere, changes: Partial<LeavingTab> = {}): string[] => {
  const { leaving, went } = tab(changes);
  expect(goElsewhere(to, leaving)).toBe(went.length > 0);
  return went;
};

describe('a tab that gets no session', () => {
  it('opens the page directly: at its own address, or at the given one', () => {
    expect(go({ kind: 'direct', access: true })).toEqual(['https://site.test/a?b#c']);
    expect(go({ kind: 'direct', access: 'https://else.test/' })).toEqual(['https://else.test/']);
    expect(go({ kind: 'direct', access: { url: 'https://else.test/x' } })).toEqual(['https://else.test/x']);
  });

  it('has no pairing any more where it is sent to the page itself, and keeps it on its way to a page of the service', () => {
    for (const [to, cleared] of [
      [{ kind: 'direct', access: true }, 1],
      [{ kind: 'direct', access: 'data:text/html,x' }, 0],
      [{ kind: 'redirect', url: '/posture' }, 0],
    ] as const) {
      const leaving = tab();
      goElsewhere(to, leaving.leaving);
      expect(leaving.cleared, JSON.stringify(to)).toBe(cleared);
    }
  });

  it('needs the bypass token where the transparent proxy would redirect it back', () => {
    expect(go({ kind: 'direct', access: true }, { proxied: true })).toEqual([]);
    expect(go({ kind: 'direct', access: { bypass_token: 't&1' } }, { proxied: true })).toEqual([
      'https://site.test/a?b=&_sv_bypass=t%261#c',
    ]);
  });

  it('navigates to the posture page, and only to web addresses', () => {
    expect(go({ kind: 'redirect', url: '/posture' })).toEqual(['https://vitrine.test/posture']);
    expect(go({ kind: 'redirect', url: 'javascript:alert(1)' })).toEqual([]);
    expect(go({ kind: 'direct', access: 'data:text/html,x' })).toEqual([]);
  });

  it('[S-082] takes only https and data addresses where it is strict', () => {
    expect(isStrictAddress(' https://site.test/ ')).toBe(true);
    expect(isStrictAddress('data:image/png;base64,AA')).toBe(true);
    for (const other of ['http://site.test/', '/path', '', 'blob:https://site.test/1', 'javascript:1', 'about:blank'])
      expect(isStrictAddress(other), other).toBe(false);
  });

  it('[S-082] is strict with the pages of the service, where that has TLS itself', () => {
    expect(go({ kind: 'redirect', url: 'https://posture.test/' })).toEqual(['https://posture.test/']);
    expect(go({ kind: 'redirect', url: 'http://posture.test/' })).toEqual([]);
    expect(go({ kind: 'login', url: 'http://login.test/', answer: {} })).toEqual([]);
    expect(go({ kind: 'direct', access: 'http://site.test/' })).toEqual(['http://site.test/']);
    const plain = tab();
    Object.assign(plain.leaving.window.location, { protocol: 'http:' });
    expect(goElsewhere({ kind: 'redirect', url: 'http://posture.test/' }, plain.leaving)).toBe(true);
    expect(plain.went).toEqual(['http://posture.test/']);
  });

  it('posts all fields of the form to a login page', () => {
    const answer = { rc_rlist: ['https://first.test/'], inspect_host: 'inspect.vitrine.test' };
    expect(loginFields(tab().leaving, answer)).toEqual({
      url: 'https://site.test/a?b#c',
      through: 'https://vitrine.test/mpa/app/',
      entry_mode: 'read_write',
      redirect_list: '["https://first.test/"]',
      prepend: '/mpa/app/',
      doc_headers: '{}',
      xheaders: '{"x-a":"1"}',
      inspect_host: 'inspect.vitrine.test',
      mpa_id: 'app',
    });
  });

  it('does not send an unknown posture to the host, and reports it', () => {
    const reports: string[] = [];
    const report = (name: string): void => void reports.push(name);
    expect(knownPosture(undefined, report)).toBeUndefined();
    expect(knownPosture('compliant', report)).toBe('compliant');
    expect(reports).toEqual([]);
    expect(knownPosture('excellent', report)).toBeUndefined();
    expect(reports).toEqual(['tc-posture-unexpected-value']);
  });
});
