import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../core/testing/growth.ts';
import { safeFileName } from '../host/judge/file-name.ts';

describe('the name of a file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069.txt', 'a.txt'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1 .txt', '_com1 .txt'],
    ['LPT\u00b9', '_LPT\u00b9'],
    ['a.txt. . .', 'a.txt'],
    ['...gitignore', '.gitignore'],
    ['.gitignore', '.gitignore'],
    ['a<b>:c"d|e?f*.txt', 'a_b__c_d_e_f_.txt'],
    ['a\u0000b\n.txt', 'ab.txt'],
    ['', 'download'],
    ['..', 'download'],
    ['/', 'download'],
    [' . . ', 'download'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['\ud800.txt', '\ufffd.txt'],
    ['می‌خواهم.txt', 'می‌خواهم.txt'],
  ])('of %j is %j', (name, safe) => expect(safeFileName(name)).toBe(safe));

  it('keeps its extension where it is too long', () => {
    for (const letter of ['a', 'ж', '漢', '🙂']) {
      const safe = safeFileName(`${letter.repeat(5000)}.tar.xz`);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      expect(safe).toMatch(/\.xz$/);
      expect(safe.isWellFormed()).toBe(true);
    }
    expect(Buffer.byteLength(safeFileName(`a.${'x'.repeat(300)}`))).toBeLessThanOrEqual(200);
  });

  const units = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        '.',
        ' ',
        '/',
        '\\',
        'con',
        'nul',
        '\u202e',
        '\u0301',
        'e',
        '\u200d',
        '_',
        'COM1',
        '\u3000',
        '🙂',
      ),
    ),
    { maxLength: 400 },
  );

  it('is one that every system holds, and the same when it is made safe again', () => {
    fc.assert(
      fc.property(units, (parts) => {
        const safe = safeFileName(parts.join(''));
        expect(safe).not.toBe('');
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(safe).not.toMatch(/[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]|[. ]$|^\.\./u);
        expect(safe).not.toMatch(/^(con|nul|com1)(\.|$)/i);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe.normalize('NFC')).toBe(safe);
        expect(safeFileName(safe)).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([' ', '.', '. ', '/', '\u202e', 'e\u0301', '\ud800'])(
    'takes time in proportion to a long name of %j',
    (unit) => {
      expect(growth({ input: (units) => unit.repeat(units), run: safeFileName }, 9)).toBeLessThan(9);
    },
  );
});
