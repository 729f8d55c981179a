import { describe, expect, it } from 'vitest';
import { growth } from '../../../core/testing/growth.ts';
import type { FileFindings } from '../../../host/plugin.ts';
import { decide } from '../host/decision.ts';
import type { FilePolicy } from '../host/decision.ts';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import { fileType } from '../host/judge/file-type.ts';
import { safeFileName } from '../host/judge/file-name.ts';
import { fitsGlob } from '../host/rules/glob.ts';
import { limitOf, ruleFor } from '../host/rules/rules.ts';

const MIB = 1024 * 1024;
type Rule = FilePolicy['rules'][number];
const rule = (more: Partial<Rule> = {}): Rule => ({ action: 'block', origin: 'tenant t: rules[0]', ...more });

const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj <<>> endobj\n');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const TEXT = Buffer.from('del *.* and other words\n');

const WAY = { direction: 'down', addresses: ['https://page.example/a', 'https://cdn.example/f'] } as const;

/** Action of the rules for a file of these bytes. */
async function said(bytes: Buffer, name: string, rules: readonly Rule[], more: object = {}): Promise<string> {
  const type = await fileType(memoryFile(bytes));
  const file = { ...WAY, name: safeFileName(name), type, size: bytes.length, ...more };
  return ruleFor(file, rules)?.action ?? 'none';
}

describe('a rule about types', () => {
  it.each<[bytes: Buffer, name: string, types: string[], expected: 'block' | 'none']>([
    [EXE, 'setup.exe', ['executables'], 'block'],
    [EXE, 'invoice.pdf', ['executables'], 'block'], // a hostile name
    [EXE, 'invoice', ['.exe'], 'block'],
    [EXE, 'x.txt', ['application/x-msdownload'], 'block'],
    [EXE, 'x.txt', ['application/x-ms*'], 'block'],
    [EXE, 'x.txt', ['text', 'documents'], 'block'], // by its name
    [EXE, 'x', ['documents', 'archives', 'images'], 'none'],
    [PDF, 'a.pdf', ['documents'], 'block'],
    [PDF, 'a', ['application/pdf'], 'block'],
    [PDF, 'a', ['*/*'], 'block'],
    [PDF, 'a', ['image/*', '.docx'], 'none'],
    [PNG, 'a', ['images'], 'block'],
    [PNG, 'a', ['image/*'], 'block'],
    [TEXT, 'a.bat', ['executables'], 'block'], // bytes say text, programs of people look at the name
    [TEXT, 'A.BAT', ['scripts'], 'block'],
    [TEXT, 'a.bat. . ', ['.bat'], 'block'],
    [TEXT, 'a.b\u202eat', ['.bat'], 'block'],
    [TEXT, 'a.bat', ['archives'], 'none'],
    [TEXT, 'a.tar.gz', ['.tar.gz'], 'block'],
    [TEXT, 'gz', ['.gz', 'archives'], 'none'],
  ])('sees %# by bytes and by name', async (bytes, name, types, expected) => {
    expect(await said(bytes, name, [rule({ types })])).toBe(expected);
  });

  it.each<[bytes: Buffer, name: string, others: string[], expected: 'block' | 'none']>([
    [PDF, 'a.pdf', ['documents'], 'none'],
    [PDF, 'a.pdf', ['application/pdf'], 'none'],
    [PDF, 'a', ['documents', 'images'], 'none'],
    [PDF, 'a.jpg', ['documents', 'images'], 'none'],
    [EXE, 'a.pdf', ['documents'], 'block'], // the name does not make it one
    [PDF, 'a.exe', ['documents'], 'block'], // nor do the bytes where the name makes it a program
    [TEXT, 'a.bat', ['text'], 'block'],
    [TEXT, 'a.csv', ['.csv'], 'none'],
    [TEXT, 'a.txt', ['.csv'], 'block'],
    [EXE, 'a.csv', ['.csv'], 'block'],
  ])('exempts %# only where bytes and name agree', async (bytes, name, others, expected) => {
    expect(await said(bytes, name, [rule({ not_types: others })])).toBe(expected);
  });

  it('with both kinds of types takes those that are one of the first and none of the second', async () => {
    const rules = [rule({ types: ['documents'], not_types: ['application/pdf'] })];
    expect(await said(PDF, 'a.pdf', rules)).toBe('none');
    expect(await said(Buffer.from('{\\rtf1 hello}'), 'a.rtf', rules)).toBe('block');
    expect(await said(PNG, 'a.png', rules)).toBe('none');
  });
});

describe('a rule', () => {
  it('looks at the way, the size and the sites of a file', async () => {
    const is = (more: Partial<Rule>, file: object = {}): Promise<string> => said(PDF, 'a.pdf', [rule(more)], file);
    expect(await is({ on: 'upload' })).toBe('none');
    expect(await is({ on: 'upload' }, { direction: 'up' })).toBe('block');
    expect(await is({ on: 'both' })).toBe('block');
    expect(await is({ over_megabytes: 1 }, { size: MIB })).toBe('none');
    expect(await is({ over_megabytes: 1 }, { size: MIB + 1 })).toBe('block');
    expect(await is({ sites: ['other.example'] })).toBe('none');
    expect(await is({ sites: ['page.example'] })).toBe('block');
    expect(await is({ sites: ['other.example', '*.example/f'] })).toBe('block'); // that the file comes from
    const blob = { addresses: ['about:blank', 'blob:https://page.example/1', 'no address'] };
    expect(await is({ sites: ['page.example'] }, blob)).toBe('block');
    expect(await is({ sites: ['*.other.example'] }, blob)).toBe('none');
  });

  it('that is the strictest wins, wherever it stands, with its place and its text', async () => {
    const type = await fileType(memoryFile(PDF));
    const all = [
      rule({ action: 'allow', origin: 'tenant t: rules[0]', message: 'Welcome' }),
      rule({ action: 'quarantine', origin: 'group g: rules[0]', message: 'Wait' }),
      rule({ action: 'block', origin: 'group g: rules[1]' }),
      rule({ action: 'block', origin: 'user u: rules[0]', message: 'No' }),
      rule({ action: 'allow', origin: 'user u: rules[1]' }),
    ];
    const of = (rules: readonly Rule[]) => ruleFor({ ...WAY, name: 'a.pdf', type, size: 1 }, rules);
    expect(of(all)).toEqual({ action: 'block', rule: 'user u: rules[0]', message: 'No' });
    expect(of(all.slice(0, 3))).toEqual({ action: 'block', rule: 'group g: rules[1]' });
    expect(of(all.slice(0, 2))).toEqual({ action: 'quarantine', rule: 'group g: rules[0]', message: 'Wait' });
    expect(of(all.slice(4))).toEqual({ action: 'allow', rule: 'user u: rules[1]' });
    expect(of([])).toBeUndefined();
  });

  it('blocks by the size alone before the type is known, where that does not matter', () => {
    const limit = (more: Partial<Rule>, name = 'a.pdf'): number | undefined =>
      limitOf({ ...WAY, name }, [rule({ over_megabytes: 50 }), rule({ over_megabytes: 0.5, ...more })])?.bytes;
    expect(limit({})).toBe(MIB / 2);
    expect(limit({ types: ['documents'] })).toBe(MIB / 2); // as it is named
    for (const more of [
      { types: ['application/pdf'] },
      { types: ['archives'] },
      { not_types: ['images'] },
      { action: 'quarantine' as const },
      { on: 'upload' as const },
      { sites: ['other.example'] },
    ])
      expect(limit(more), JSON.stringify(more)).toBe(50 * MIB);
    expect(limitOf({ ...WAY, name: 'a' }, [rule(), rule({ types: ['.exe'] })])).toBeUndefined();
    const { rule: origin, message } = limitOf({ ...WAY, name: 'a' }, [rule({ over_megabytes: 0, message: 'No' })])!;
    expect([origin, message]).toEqual(['tenant t: rules[0]', 'No']);
  });
});

describe('the decision about a file', () => {
  const found = (verdict: FileFindings['verdict'], isLocked = false): FileFindings => ({
    type: { mime: 'application/zip', extension: 'zip', group: 'archive' },
    ...{ verdict, isLocked, reason: '', scanners: 1, checks: [] },
  });
  const decided = (findings: FileFindings, action?: Rule['action'], quarantine_days = 30): string => {
    const policy = { scan: 'if_there', scan_failure: 'block', encrypted: 'ask', quarantine_days, rules: [] } as const;
    return Object.values(decide(findings, policy, action && { action, rule: 'r' })).join(' ');
  };

  it('is the stricter one of the scan and the rule', () => {
    expect(decided(found('clean'), 'allow')).toBe('allow true');
    expect(decided(found('clean'), 'quarantine')).toBe('quarantine rule');
    expect(decided(found('clean'), 'block')).toBe('block rule');
    expect(decided(found('infected'))).toBe('quarantine infected');
    expect(decided(found('infected'), 'allow')).toBe('quarantine infected');
    expect(decided(found('infected'), 'block')).toBe('block infected');
    expect(decided(found('not-scanned'), 'quarantine')).toBe('block not-scanned');
    expect(decided(found('encrypted', true), 'allow')).toBe('ask');
    expect(decided(found('encrypted', true), 'quarantine')).toBe('quarantine rule');
    expect(decided(found('encrypted', true), 'block')).toBe('block rule');
  });

  it('is to block what would go into a quarantine that keeps nothing', () => {
    expect(decided(found('infected'), undefined, 0)).toBe('block infected');
    expect(decided(found('clean'), 'quarantine', 0)).toBe('block rule');
  });
});

describe('patterns', () => {
  it('have * for any characters, and nothing else', () => {
    for (const pattern of ['image/png', 'image/*', '*/png', '*', '*a*', 'i*m*e*/*n*g', '**', 'image/png*'])
      expect(fitsGlob('image/png', pattern), pattern).toBe(true);
    for (const pattern of ['image/pn', 'mage/*', '*/pn', 'image/*png*g', '', '.*', 'image.png', 'i*x*g', 'image/png*g'])
      expect(fitsGlob('image/png', pattern), pattern).toBe(false);
    expect(fitsGlob('ab', 'ab*b')).toBe(false); // no character counts twice
  });

  it('take time in proportion to what they are compared with', () => {
    const input = (units: number): string => 'a'.repeat(units);
    const run = (text: string): boolean => fitsGlob(text, `${'a*'.repeat(90)}b`);
    expect(run('a'.repeat(10_000))).toBe(false);
    expect(growth({ input, run }, 9)).toBeLessThan(9);
  });
});
