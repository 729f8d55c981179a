import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asyncGrowthBetween } from '../../../core/testing/growth.ts';
import { walkArchive } from '../host/judge/archives.ts';
import type { ArchiveReport } from '../host/judge/archives.ts';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import { fileType } from '../host/judge/file-type.ts';
import { ARCHIVE_LIMITS } from '../host/judge/limits.ts';
import type { ArchiveLimits } from '../host/judge/limits.ts';
import { pdfOf } from '../host/judge/scanners/wrappings.ts';
import { oleOf, zipOf } from './judge/samples.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');

interface Walked extends ArchiveReport {
  readonly seen: readonly string[];
}

async function walk(bytes: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<Walked> {
  const file = memoryFile(bytes);
  const seen: string[] = [];
  const report = await walkArchive(file, await fileType(file), {
    limits: { ...ARCHIVE_LIMITS, ...limits },
    signal: AbortSignal.timeout(60_000),
    async visit(_, stream) {
      let content = '';
      for await (const chunk of stream) content = (content + Buffer.from(chunk).toString('latin1')).slice(0, 10_000);
      seen.push(content);
    },
  });
  return { ...report, seen };
}

const details = ({ problems }: ArchiveReport): string[] => problems.map(({ kind, detail }) => `${kind}: ${detail}`);

/** Objects of a PDF without its table: programs repair it. */
const pdf = (...objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([text('%PDF-1.7\n'), ...objects.map((object) => Buffer.concat([Buffer.from(object), text('\n')]))]);
const stream = (dictionary: string, content: Buffer, space = '\n'): Buffer =>
  Buffer.concat([text(`5 0 obj\n<<${dictionary}>>stream${space}`), content, text('\nendstream\nendobj')]);

describe('files in a PDF', () => {
  const packed = deflateSync('content of a file');
  const zip = deflateSync(zipOf([{ name: 'a.txt', content: text('alpha') }]));

  it.each([
    ['that is compressed', pdf('<</EF<</F 5 0 R>>>>', stream('/Filter/FlateDecode', packed))],
    ['of the type', pdf(stream('/Type/EmbeddedFile/Filter/FlateDecode', packed))],
    ['with a name in hex', pdf(stream('/Type/#45mbe#64dedFile/Filter/FlateDecode', packed))],
    ['with a key in hex', pdf('<</#45#46 <</F 5 0 R>>>>', stream('/Filter/FlateDecode', packed))],
    ['behind another line end', pdf('<</EF 9 0 R>>', stream('/Filter/FlateDecode', packed, ' x\r\n'))],
    [
      'named in a stream of objects',
      pdf(stream('/Type/ObjStm', deflateSync('<</EF<</F 5 0 R>>>>')), stream('/Filter/FlateDecode', packed)),
    ],
    ['as pdfOf makes it', pdfOf('a', text('content of a file'), true)],
  ])('%s are shown', async (_, file) => {
    const { seen, problems } = await walk(file);
    expect(seen).toContain('content of a file');
    expect(problems).toEqual([]);
  });

  it('are shown as they stand, opened where they are archives, and found in archives', async () => {
    expect((await walk(pdfOf('a', text('content')))).seen.map((content) => content.trim())).toContain('content');
    expect((await walk(pdf('<</EF 9 0 R>>', stream('', zip)))).seen).toContain('alpha');
    const outer = zipOf([{ name: 'a.pdf', content: pdf('<</EF 9 0 R>>', stream('', packed)) }]);
    expect((await walk(outer)).seen).toContain('content of a file');
  });

  it('count as not scanned where a filter is not read', async () => {
    const unread = 'not-scanned: files in the PDF may be packed in a way that is not read';
    for (const filter of ['LZWDecode', '[/ASCII85Decode/FlateDecode]', 'L#5aWDecode', 'A85']) {
      const file = pdf('<</EF 9 0 R>>', stream(`/Filter/${filter}`.replace('/[', '['), text('xxxx')));
      expect(details(await walk(file)), filter).toEqual([unread]);
      expect(details(await walk(pdf(stream(`/Filter/${filter} `, text('xxxx'))))), filter).toEqual([]);
    }
  });

  it('are not looked for in a PDF of fonts, pictures and objects', async () => {
    const page = deflateSync('BT /F1 12 Tf (the /EFfect of a stream) Tj ET');
    const blank = deflateSync(Buffer.alloc(26 * 1_048_576));
    const file = pdf(
      stream('/Type/ObjStm/Filter/FlateDecode', deflateSync('1 0 2 20 <</Type/Catalog>><</Type/Pages>>')),
      stream('/Filter/FlateDecode', page),
      stream('/Subtype/Image/Filter/FlateDecode', blank),
      stream('/Subtype/Image/Filter/DCTDecode', Buffer.from('ffd8ffe000104a464946', 'hex')),
    );
    expect(await walk(file)).toMatchObject({ members: 0, problems: [], seen: [] });
  });

  it('end at the bounds', async () => {
    const many = pdf('<</EF 9 0 R>>', ...Array.from({ length: 300 }, () => stream('', packed)));
    expect(details(await walk(many, { entries: 100 }))).toEqual(['not-scanned: more than 100 entries']);
    const bomb = pdf('<</EF 9 0 R>>', stream('', deflateSync(Buffer.alloc(30 * 1_048_576))));
    expect(details(await walk(bomb))).toEqual(['not-scanned: unpacks to more than 200 times its length']);
    expect(details(await walk(bomb, { unpackedBytes: 1_000_000 }))).toEqual([
      'not-scanned: unpacks to more than 1000000 bytes',
    ]);
    // Streams in streams: each holds all that follow, stored.
    let nested = Buffer.from('x');
    for (let level = 0; level < 60; level += 1)
      nested = Buffer.concat([text('stream\n'), deflateSync(Buffer.concat([nested, Buffer.alloc(500)]), { level: 0 })]);
    expect(details(await walk(Buffer.concat([text('%PDF-1.7 '), nested])))).toEqual([
      'not-scanned: streams of the PDF overlap',
    ]);
  });

  it('take time in proportion to hostile bytes', async () => {
    const flate = `stream\n${deflateSync('x').toString('latin1')}`;
    for (const unit of [
      'stream\n',
      'stream\nx\u009c',
      flate,
      'endstream',
      '/EF ',
      '/#45',
      '/EmbeddedFile'.slice(0, -1),
    ]) {
      const input = (length: number): Buffer => text('%PDF-1.7 ' + unit.repeat(length / unit.length));
      expect(await asyncGrowthBetween({ input, run: (bytes) => walk(bytes) }, 9, [50_000, 200_000]), unit).toBeLessThan(
        9,
      );
    }
  });
});

describe('files that hold others', () => {
  const disc = Buffer.alloc(41_000);
  disc.write('BEA01', 32_769, 'latin1');
  const footed = (mark: string): Buffer => Buffer.concat([Buffer.alloc(2000), text(mark.padEnd(512, '\0'))]);

  it.each([
    ['rar', text('Rar!\x1a\x07\x01\x00')],
    ['7z', text('7z\xbc\xaf\x27\x1c\x00\x04')],
    ['cab', text('MSCF\0\0\0\0')],
    ['iso', disc],
    ['wim', text('MSWIM\0\0\0')],
    ['vhdx', text('vhdxfile')],
    ['vhd', footed('conectix')],
    ['dmg', footed('koly')],
    ['cpio', text('070701'.padEnd(110, '0'))],
    ['chm', text('ITSF\x03\0\0\0')],
    ['msg', oleOf(['__properties_version1.0'])],
  ])('of type %s count as not scanned, alone and in archives', async (extension, head) => {
    const file = Buffer.concat([
      extension === 'vhd' || extension === 'dmg' ? Buffer.alloc(1000) : head,
      Buffer.alloc(1000),
      head,
    ]);
    expect(details(await walk(file))).toEqual([`not-scanned: ${extension} archives are not read`]);
    expect(details(await walk(zipOf([{ name: 'a', content: file }])))).toEqual([
      `not-scanned: ${extension} archives are not read`,
    ]);
  });
});

describe('parts of a mail', () => {
  const head = 'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n';
  const part = (content: string, encoding = 'base64', end = '--b--'): string =>
    `--b\r\nContent-Type: application/x\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n${end}\r\n`;
  const lines = (content: Buffer): string => content.toString('base64').replace(/.{76}/g, '$&\r\n');
  const zip = zipOf([{ name: 'a.txt', content: text('alpha') }]);

  it('are recognised by its fields', async () => {
    const type = async (content: string): Promise<object> => fileType(memoryFile(text(content)));
    const mail = { mime: 'message/rfc822', extension: 'eml', group: 'text', inside: ['mail'] };
    expect(await type(head)).toEqual(mail);
    expect(await type(`From a@b.example Mon Jan 1\n${head}`)).toEqual(mail);
    expect(await type(`${'X-Long: x\r\n'.repeat(5000)}${head}`)).toEqual(mail);
    expect(await type('Dear all,\n\nplease note: no\nContent-Type: x')).toMatchObject({ extension: 'txt' });
    expect(await type(`Note: a list\n\n${'a: b\n'.repeat(20_000)}`)).toMatchObject({ extension: 'txt' });
  });

  it.each([
    ['in base64', head + part(lines(zip))],
    ['in a folded field', head + part(lines(zip), '\r\n  BASE64 (a comment)')],
    ['without an end', head + part(lines(zip), 'base64', '')],
    ['with line ends of Unix', (head + part(lines(zip))).replaceAll('\r\n', '\n')],
    [
      'quoted',
      head +
        part(
          zip.toString('latin1').replace(/[^]/g, (c) => `=${text(c).toString('hex').toUpperCase()}`),
          'quoted-printable',
        ),
    ],
    ['in a mail in a mail', head + part(lines(text(head + part(lines(zip)))))],
    [
      'after a mail in a mailbox',
      `From x\n${head}\nhello\n\nFrom y\nContent-Transfer-Encoding: base64\n\n${lines(zip)}`,
    ],
    ['in a page that a browser saved', head.replace('mixed', 'related') + '<html>' + part(lines(zip))],
  ])('%s are shown and opened', async (_, mail) => {
    const { seen, problems } = await walk(text(mail));
    expect(problems).toEqual([]);
    expect(seen).toContain('alpha');
  });

  it('are shown one by one, and found in archives', async () => {
    const both = head + part(lines(text('one')), 'base64', '') + part(lines(text('two'.repeat(100_000))));
    expect((await walk(text(both))).seen).toEqual(['one', 'two'.repeat(3334).slice(0, 10_000)]);
    expect((await walk(zipOf([{ name: 'a.eml', content: text(head + part(lines(zip))) }]))).seen).toContain('alpha');
  });

  it.each([
    ['of another encoding', head + part('x', 'x-uuencode'), 'a part with an encoding that is not read'],
    ['of uuencode', `${head}begin 644 a.zip\r\nxx\r\nend`, 'a part with an encoding that is not read'],
    [
      'of two encodings',
      head + part('x', 'base64\r\nContent-Transfer-Encoding: quoted-printable'),
      'a part with two encodings',
    ],
    ['with a boundary in them', head + part(`AAAA\r\n--other\r\nAAAA`), 'a boundary that is not named before'],
  ])('%s count as not scanned', async (_, mail, detail) => {
    expect(details(await walk(text(mail)))).toContain(`not-scanned: ${detail}`);
  });

  it('of any bytes end with a report', async () => {
    const bytes = text(head + part(lines(zip)));
    const document = pdf('<</EF 9 0 R>>', stream('', deflateSync('content')));
    const edit = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), edit, fc.nat(700), async (isMail, edits, cut) => {
        const changed = Buffer.from((isMail ? bytes : document).subarray(0, cut));
        for (const [at, value] of edits) if (at < changed.length) changed[at] = value;
        expect((await walk(changed)).problems.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 300 },
    );
  });

  it('take time in proportion to hostile bytes', async () => {
    const field = 'Content-Transfer-Encoding: base64\r\n';
    for (const unit of [
      `${field}\r\nAAAA\r\n--b\r\n`,
      field,
      'a',
      'boundary=',
      'boundary=x\n',
      ' \r\n',
      '=\r\n',
      '==\n',
    ]) {
      const input = (length: number): Buffer => text(head + field + '\r\n' + unit.repeat(length / unit.length));
      const sizes = [250_000, 1_000_000] as const;
      expect(await asyncGrowthBetween({ input, run: (bytes) => walk(bytes) }, 9, sizes), unit).toBeLessThan(9);
    }
  });
});
