import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asyncGrowthBetween } from '../../../core/testing/growth.ts';
import { walkArchive } from '../host/judge/archives.ts';
import type { ArchiveReport } from '../host/judge/archives.ts';
import { isDocumentEncrypted } from '../host/judge/encryption.ts';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import type { FileBytes } from '../host/judge/format/file-bytes.ts';
import { fileType } from '../host/judge/file-type.ts';
import { ARCHIVE_LIMITS } from '../host/judge/limits.ts';
import type { ArchiveLimits } from '../host/judge/limits.ts';
import { pdfOf, tarOf } from '../host/judge/scanners/wrappings.ts';
import { encryptedZip, nestedZip, oleOf, zipOf } from './judge/samples.ts';

const text = (content: string): Buffer => Buffer.from(content);

interface Walked extends ArchiveReport {
  readonly seen: Readonly<Record<string, string>>;
}

async function walk(
  file: FileBytes | Buffer,
  { password, limits, keep = true }: { password?: string; limits?: Partial<ArchiveLimits>; keep?: boolean } = {},
): Promise<Walked> {
  const bytes = Buffer.isBuffer(file) ? memoryFile(file) : file;
  const seen: Record<string, string> = {};
  const report = await walkArchive(bytes, await fileType(bytes), {
    limits: { ...ARCHIVE_LIMITS, ...limits },
    ...(password !== undefined && { password }),
    signal: AbortSignal.timeout(60_000),
    async visit({ path }, stream) {
      let content = '';
      for await (const chunk of stream) if (keep) content += Buffer.from(chunk).toString('latin1');
      if (keep) seen[path] = content;
    },
  });
  return { ...report, seen };
}

const details = ({ problems }: ArchiveReport): string[] => problems.map(({ kind, detail }) => `${kind}: ${detail}`);

describe('members of archives', () => {
  it('are shown for zip, tar, gzip and what is nested', async () => {
    const inner = zipOf([{ name: 'deep.txt', content: text('deep') }]);
    const tar = tarOf('inner.zip', inner);
    const outer = zipOf([
      { name: 'a.txt', content: text('alpha') },
      { name: 'b.tar.gz', content: gzipSync(tar) },
      { name: 'stored.bin', content: text('beta'), stored: true },
    ]);
    const { seen, problems } = await walk(outer);
    expect(problems).toEqual([]);
    expect(seen).toMatchObject({
      'a.txt': 'alpha',
      'stored.bin': 'beta',
      'b.tar.gz/content/inner.zip/deep.txt': 'deep',
    });
    expect((await walk(gzipSync('plain'))).seen).toEqual({ content: 'plain' });
    expect((await walk(tarOf('x', text('y')))).seen).toEqual({ x: 'y' });
  });

  it.each([
    { zipCrypto: true },
    { encryptionStrength: 1 },
    { encryptionStrength: 2 },
    { encryptionStrength: 3 },
  ] as const)('are opened with their password, as %j', async (kind) => {
    const content = 'secret '.repeat(30_000);
    const file = await encryptedZip({ 'a.txt': text(content), 'b.txt': text('') }, { password: 'pässword', ...kind });
    const opened = await walk(file, { password: 'pässword' });
    expect(opened.problems).toEqual([]);
    expect(opened).toMatchObject({ opened: true, seen: { 'a.txt': content, 'b.txt': '' } });
    expect(details(await walk(file))).toContain('needs-password: encrypted');
    const wrong = await walk(file, { password: 'x' });
    expect(wrong.problems.map(({ kind }) => kind)).toContain('wrong-password');
    expect(wrong.opened).toBe(false);
  });

  it('are reported where we do not read the archive', async () => {
    const seven = Buffer.from('377abcaf271c000400000000', 'hex');
    expect(details(await walk(seven))).toEqual(['not-scanned: 7z archives are not read']);
    expect(details(await walk(zipOf([{ name: 'a.7z', content: seven }])))).toEqual([
      'not-scanned: 7z archives are not read',
    ]);
  });
});

describe('encrypted documents', () => {
  it('are found, alone and in archives', async () => {
    const pdf = Buffer.from(
      pdfOf('a', text('a')).toString('latin1').replace('trailer\n<<', 'trailer\n<</Encrypt 9 0 R'),
      'latin1',
    );
    const word = oleOf(['EncryptedPackage']);
    for (const content of [pdf, word]) {
      expect(await isDocumentEncrypted(memoryFile(content))).toBe(true);
      expect(details(await walk(zipOf([{ name: 'a', content }])))).toEqual(['unopenable: an encrypted document']);
    }
    expect(await isDocumentEncrypted(memoryFile(pdfOf('a', text('a'))))).toBe(false);
    expect(await isDocumentEncrypted(memoryFile(oleOf(['WordDocument'])))).toBe(false);
  });
});

describe('hostile archives', () => {
  it('end at their bounds', async () => {
    const zeros = Buffer.alloc(30 * 1_048_576);
    const bomb = zipOf([{ name: 'a', content: zeros }]);
    expect(details(await walk(bomb, { keep: false }))).toEqual([
      'not-scanned: unpacks to more than 200 times its length',
    ]);
    expect(details(await walk(gzipSync(zeros), { keep: false }))).toEqual([
      'not-scanned: unpacks to more than 200 times its length',
    ]);
    const noise = zipOf([{ name: 'a', content: Buffer.alloc(100_000, 'abc'), stored: true }]);
    expect(details(await walk(noise, { limits: { unpackedBytes: 50_000 } }))).toEqual([
      'not-scanned: unpacks to more than 50000 bytes',
    ]);
    expect(details(await walk(nestedZip(5, text('x'))))).toEqual([]);
    expect(details(await walk(nestedZip(6, text('x'))))).toEqual(['not-scanned: archives are nested more than 5 deep']);
    const noisy = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));
    const nested = zipOf([
      { name: 'a.zip', content: zipOf([{ name: 'x', content: noisy, stored: true }]), stored: true },
    ]);
    expect(details(await walk(nested, { limits: { nestedBytes: 100_000 } }))).toEqual([
      'not-scanned: too long to be opened within an archive',
    ]);
  });

  it('of 100,000 entries are not read', async () => {
    const many = zipOf(Array.from({ length: 60_000 }, (_, at) => ({ name: `${at}`, content: text('') })));
    expect(details(await walk(many))).toEqual(['not-scanned: more than 10000 entries']);
    const small = tarOf('x', text('y')).subarray(0, 1024);
    const tar = Buffer.concat([...Array.from({ length: 100_000 }, () => small), Buffer.alloc(1024)]);
    expect(details(await walk(tar, { keep: false }))).toEqual(['not-scanned: more than 10000 entries']);
  });

  const plain = { name: 'a', content: text('aaaa') };
  it.each([
    ['entries that overlap', [{ ...plain }, { ...plain, offset: 0 }], 'entries overlap'],
    ['an entry outside', [{ ...plain, offset: 5_000_000 }], 'an entry lies outside the archive'],
    ['an entry at nonsense', [{ ...plain, offset: 3 }], 'an entry lies outside the archive'],
    ['two names', [{ ...plain, localName: 'b' }], 'an entry has two names'],
    [
      'hidden entries',
      [{ ...plain }, { ...plain, hidden: true, name: 'hidden.exe' }, { ...plain, name: 'c' }],
      'an entry is missing in the directory',
    ],
    ['a longer member', [{ ...plain, size: 2 }], 'an entry is longer than it says'],
    ['a shorter member', [{ ...plain, size: 200 }], 'an entry is shorter than it says'],
    ['another checksum', [{ ...plain, crc: 1 }], 'an entry has another checksum'],
  ] as const)('with %s are suspicious', async (_, entries, detail) => {
    expect(details(await walk(zipOf(entries)))).toContain(`suspicious: ${detail}`);
  });

  it('with two directories are suspicious', async () => {
    const one = zipOf([plain]);
    const other = zipOf([{ name: 'b', content: text('b') }]);
    other.writeUInt16LE(0, other.length - 2);
    const both = Buffer.concat([one, other]);
    // The end of the first has a comment that reaches to the end of the file.
    both.writeUInt16LE(other.length, one.length - 2);
    expect((await walk(both)).problems.map(({ kind }) => kind)).toEqual(['suspicious']);
  });

  it('of any bytes end with a report', async () => {
    const starts = [
      zipOf([plain, { name: 'b.zip', content: zipOf([plain]) }]),
      gzipSync(tarOf('a', text('abc'))),
      tarOf('a', text('abc')),
      await encryptedZip({ a: text('abc') }, { password: 'p' }),
      oleOf(['Workbook']),
      pdfOf('a', text('a')),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(5),
        fc.array(fc.tuple(fc.nat(2500), fc.nat(255)), { maxLength: 8 }),
        fc.nat(2500),
        async (which, edits, cut) => {
          const bytes = Buffer.from(starts[which]!.subarray(0, cut));
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
          const { problems, members } = await walk(bytes, { password: 'p' });
          expect(problems.length).toBeLessThanOrEqual(20);
          expect(members).toBeLessThanOrEqual(10_000);
          await isDocumentEncrypted(memoryFile(bytes));
        },
      ),
      { numRuns: 600 },
    );
  });

  it('take time in proportion to their length', async () => {
    const samples: readonly ((n: number) => Buffer)[] = [
      (n) => zipOf(Array.from({ length: n }, (_, at) => ({ name: `${at}`, content: text('x') }))),
      (n) =>
        Buffer.concat([
          ...Array.from({ length: n }, () => tarOf('x', text('y')).subarray(0, 1024)),
          Buffer.alloc(1024),
        ]),
      (n) => zipOf([{ name: 'a', content: Buffer.alloc(n * 4000, 'abcdefg'), stored: true }]),
      (n) => gzipSync(Buffer.from(Array.from({ length: n * 1000 }, (_, at) => (at * at) % 253))),
    ];
    const run = (file: Buffer): Promise<unknown> => walk(file, { keep: false });
    for (const input of samples) expect(await asyncGrowthBetween({ input, run }, 9, [1000, 4000])).toBeLessThan(9);
  });
});

describe('zip files after other bytes', () => {
  const zip = zipOf([{ name: 'a.txt', content: text('alpha') }]);
  const heads = [
    text('MZ'.padEnd(300, '\0')),
    text('a line of text\n'.repeat(4000)),
    text('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000'),
    Buffer.from('00ff00ff01fe9a', 'hex'),
    pdfOf('a', text('a')),
    oleOf(['WordDocument']),
  ];

  it.each(heads.map((head) => [head.subarray(0, 6).toString('latin1'), head] as const))(
    'are opened, behind %j',
    async (_, head) => {
      const type = await fileType(memoryFile(head));
      const both = Buffer.concat([head, zip]);
      expect(await fileType(memoryFile(both))).toMatchObject({ mime: type.mime, group: type.group });
      for (const file of [both, Buffer.concat([both, text('trailing')])]) {
        const { seen, problems } = await walk(file);
        expect(problems).toEqual([]);
        expect(seen).toMatchObject({ 'a.txt': 'alpha' });
      }
      expect((await walk(zipOf([{ name: 'b', content: both }]))).seen).toMatchObject({ 'b/a.txt': 'alpha' });
    },
  );

  it('are reported where they are too long to be opened', async () => {
    const long = Buffer.concat([Buffer.from('00ff00ff01fe9a', 'hex'), Buffer.alloc(300_000, 'ab'), zip]);
    const limits = { nestedBytes: 100_000 };
    expect(details(await walk(zipOf([{ name: 'b', content: long }]), { limits, keep: false }))).toEqual([
      'not-scanned: too long to be opened within an archive',
    ]);
    const plain = zipOf([{ name: 'b', content: long.subarray(0, -zip.length) }]);
    expect(details(await walk(plain, { limits, keep: false }))).toEqual([]);
  });

  it('are not seen where bytes only look like an end', async () => {
    const end = zip.subarray(-22);
    for (const file of [
      Buffer.concat([text('MZ'), Buffer.alloc(300), end]),
      Buffer.concat([text('The end is PK\u0005\u0006'), Buffer.alloc(200, 'x')]),
      Buffer.concat([text('MZ'), Buffer.alloc(300), zipOf([])]),
    ]) {
      const type = await fileType(memoryFile(file));
      expect(type.inside).toBeUndefined();
      expect(await walk(file)).toMatchObject({ members: 0, problems: [] });
    }
  });

  it('take time in proportion to hostile tails', async () => {
    const run = (file: Buffer): Promise<unknown> => fileType(memoryFile(file));
    const input = (length: number): Buffer => Buffer.from('MZ' + 'PK\u0005\u0006'.repeat(length));
    expect(await asyncGrowthBetween({ input, run }, 9, [10_000, 40_000])).toBeLessThan(9);
  });
});

describe('entries that the directory conceals', () => {
  const shown = zipOf([{ name: 'a.txt', content: text('alpha') }]);
  const hidden = zipOf([{ name: 'evil.exe', content: text('evil') }]).subarray(0, 44);
  const missing = 'suspicious: an entry is missing in the directory';

  it('are found before the first one, and anywhere between', async () => {
    expect(details(await walk(Buffer.concat([hidden, shown])))).toEqual([missing]);
    const inArchive = zipOf([
      { name: 'evil.exe', content: text('evil'), hidden: true },
      { name: 'a.txt', content: text('alpha') },
    ]);
    expect(details(await walk(inArchive))).toEqual([missing]);
    const far = zipOf([
      { name: 'a', content: text('a') },
      { name: 'pad', content: Buffer.alloc(200_000, 'a'), stored: true, hidden: true },
      { name: 'c', content: text('c') },
    ]);
    // The mark of the entry that is left out stands in the middle of the gap.
    const at = far.indexOf('PK\u0003\u0004', 10);
    far.write('....', at);
    hidden.copy(far, 65_536 + 100 - 2);
    expect(details(await walk(far))).toEqual([missing]);
    far.fill('a', 65_536, 65_536 + 200);
    expect(details(await walk(far))).toEqual([]);
  });

  it('are found before programs that unpack, whose code holds marks by chance', async () => {
    const stub = Buffer.concat([text('MZ'), Buffer.alloc(70_000, 'x'), text('PK\u0003\u0004'), Buffer.alloc(60, 0xcc)]);
    expect(details(await walk(Buffer.concat([stub, shown])))).toEqual([]);
    expect(details(await walk(Buffer.concat([stub, hidden, Buffer.alloc(50), shown])))).toEqual([missing]);
  });

  it('are looked for in time in proportion to the gap', async () => {
    const run = (file: Buffer): Promise<unknown> => walk(file, { keep: false });
    const input = (length: number): Buffer =>
      Buffer.concat([text('MZ'), Buffer.from('PK\u0003\u0004'.repeat(length)), Buffer.alloc(40, 0xcc), shown]);
    expect(await asyncGrowthBetween({ input, run }, 9, [250_000, 1_000_000])).toBeLessThan(9);
  });
});

describe('bytes after the end of a tar file', () => {
  it('are not read', async () => {
    const tar = tarOf('x', text('y'));
    expect(details(await walk(Buffer.concat([tar, Buffer.alloc(20_000)])))).toEqual([]);
    for (const file of [Buffer.concat([tar, tar]), gzipSync(Buffer.concat([tar, zipOf([])]))])
      expect(details(await walk(file))).toEqual(['not-scanned: there is more after its end']);
  });
});
