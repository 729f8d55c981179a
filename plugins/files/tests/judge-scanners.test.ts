import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import type { FileBytes } from '../host/judge/format/file-bytes.ts';
import { judge } from '../host/judge/judge.ts';
import type { Findings } from '../host/judge/judge.ts';
import { outcome } from '../host/judge/outcome.ts';
import type { JudgingScanner } from '../host/judge/scanner-tally.ts';
import { calibrate } from '../host/judge/scanners/calibrate.ts';
import type { Coverage } from '../host/judge/scanners/coverage.ts';
import { parseScanner } from '../host/judge/scanners/parse-scanner.ts';
import type { ScanResult } from '../host/judge/scanners/scanner.ts';
import { afterMegabytes, inMegabytes, pdfOf, testFile, wrapped, WRAPPINGS } from '../host/judge/scanners/wrappings.ts';
import { encryptedZip, nestedZip, zipOf } from './judge/samples.ts';
import { installScanners, startClamd, startIcap } from './judge/scanners.ts';
import type { RunningScanner } from './judge/scanners.ts';

const signal = new AbortController().signal;
const MEGABYTE = 1_048_576;

const ALL: Coverage = { wrappings: WRAPPINGS, fileBytes: 4 * MEGABYTE, memberBytes: 4 * MEGABYTE, falsePositives: [] };

let clamd: RunningScanner | undefined;
let icap: RunningScanner | undefined;
const packaged: JudgingScanner[] = [];

beforeAll(async () => {
  expect(installScanners(), 'scanners that are missing and cannot be installed').toEqual([]);
  clamd = await startClamd();
  icap = await startIcap(clamd!);
  for (const address of [...clamd!.addresses, ...icap!.addresses]) {
    const scanner = parseScanner(address);
    packaged.push({ scanner, coverage: await calibrate(scanner, { signal, sizes: 'whole' }) });
  }
});

afterAll(async () => {
  await icap?.stop();
  await clamd?.stop();
});

/** Text that is compressed to no less than a two-hundredth. */
function letters(bytes: number): Buffer {
  const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => 97 + ((at * 7919 + (at >> 3) * 31) % 26)));
  const text = Buffer.alloc(bytes, noise);
  for (let at = 0; at < bytes; at += 64) text[at] = 97 + ((at * 2_654_435_761) % 23);
  return text;
}

const using = (address: string): JudgingScanner => packaged.find(({ scanner }) => scanner.name === address)!;
const viaClamd = (): JudgingScanner => using(clamd!.addresses[0]!);
const viaIcap = (): JudgingScanner => using(icap!.addresses[1]!);

async function judged(
  file: FileBytes | Buffer,
  scanners: readonly JudgingScanner[],
  password?: string,
): Promise<Findings> {
  const bytes = Buffer.isBuffer(file) ? memoryFile(file) : file;
  return judge(bytes, { name: 'file', scanners, signal, ...(password !== undefined && { password }) });
}

const verdict = async (
  file: FileBytes | Buffer,
  scanners: readonly JudgingScanner[],
  password?: string,
): Promise<string> => outcome(await judged(file, scanners, password)).verdict;

async function whole(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('packaged scanners', () => {
  it('show what they find, and the sizes at which they stop', () => {
    const [local, tcp, unlimited, limited] = packaged.map(({ coverage }) => coverage);
    const clamdCoverage = {
      wrappings: WRAPPINGS,
      fileBytes: 24 * MEGABYTE,
      memberBytes: 24 * MEGABYTE,
      falsePositives: [],
    };
    expect(local).toEqual(clamdCoverage);
    expect(tcp).toEqual(clamdCoverage);
    const withoutPdf = WRAPPINGS.filter((wrapping) => wrapping !== 'pdf');
    expect(unlimited).toEqual({ ...clamdCoverage, wrappings: withoutPdf });
    expect(limited).toEqual({ ...clamdCoverage, wrappings: withoutPdf, fileBytes: 4 * MEGABYTE });
  });

  const each = [
    ['clamd', viaClamd],
    ['c-icap', viaIcap],
  ] as const;
  describe.each(each)('%s', (name, scanner) => {
    it.each(WRAPPINGS)('finds the test file in %s, and nothing in its clean twin', async (wrapping) => {
      const infected = await verdict(await wrapped(wrapping, true), [scanner()]);
      const clean = await verdict(await wrapped(wrapping, false), [scanner()]);
      // It passes any PDF, but is shown the file in it.
      const isRead = name !== 'c-icap' || wrapping !== 'pdf';
      expect([infected, clean]).toEqual(['infected', isRead ? 'clean' : 'not-scanned']);
    });

    it('is shown what stands too deep for it', async () => {
      expect(await verdict(nestedZip(5, testFile(true)), [scanner()])).toBe('infected');
      expect(await verdict(nestedZip(5, testFile(false)), [scanner()])).toBe('clean');
    });

    it('is not believed past its limits, and shown the members within them', async () => {
      for (const sample of [afterMegabytes, inMegabytes]) {
        const infected = memoryFile(await whole(sample(40, true)));
        const clean = memoryFile(await whole(sample(40, false)));
        expect(await verdict(clean, [scanner()])).toBe('not-scanned');
        const found = await verdict(infected, [scanner()]);
        expect(['infected', 'not-scanned']).toContain(found);
        // Its own member, which is short, is shown to the scanner.
        if (sample === afterMegabytes) expect(found).toBe('infected');
      }
      expect(await verdict(Buffer.alloc(40 * MEGABYTE, 'a'), [scanner()])).toBe('not-scanned');
    });

    it('is not believed about files in a file that is no archive by its head', async () => {
      const program = Buffer.from('MZ'.padEnd(5000, '\0'));
      const inside = (content: Buffer): Buffer[] => [
        Buffer.concat([program, zipOf([{ name: 'test.com', content }])]),
        Buffer.from(
          `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\n${zipOf([{ name: 'test.com', content }]).toString('base64')}\n--b--\n`,
        ),
        pdfOf('test.zip', zipOf([{ name: 'test.com', content }]), true),
      ];
      const long = (infected: boolean): Buffer => Buffer.concat([letters(40 * MEGABYTE), testFile(infected)]);
      for (const file of inside(long(true))) expect(await verdict(file, [scanner()])).toBe('not-scanned');
      for (const file of inside(testFile(true))) expect(await verdict(file, [scanner()])).toBe('infected');
      for (const [index, file] of inside(testFile(false)).entries()) {
        const isRead = name !== 'c-icap' || index < 2;
        expect(await verdict(file, [scanner()])).toBe(isRead ? 'clean' : 'not-scanned');
      }
    });

    it('is believed about a PDF without files in it', async () => {
      const page = deflateSync(letters(30 * MEGABYTE)).toString('latin1');
      const file = `%PDF-1.4\n1 0 obj\n<</Length ${page.length}/Filter/FlateDecode>>stream\n${page}\nendstream\nendobj\n`;
      expect(await verdict(Buffer.from(file, 'latin1'), [scanner()])).toBe(name === 'clamd' ? 'clean' : 'not-scanned');
    });

    it('is shown the inside of encrypted archives', async () => {
      for (const kind of [{ zipCrypto: true }, {}]) {
        const [infected, clean] = await Promise.all(
          [true, false].map((is) =>
            encryptedZip({ 'a.com': testFile(is), 'b.zip': nestedZip(1, testFile(is)) }, { password: 'pass', ...kind }),
          ),
        );
        expect(await verdict(infected!, [scanner()])).toBe('encrypted');
        expect(await verdict(infected!, [scanner()], 'wrong')).toBe('encrypted');
        expect(await verdict(infected!, [scanner()], 'pass')).toBe('infected');
        expect(await verdict(clean!, [scanner()], 'pass')).toBe('clean');
        expect((await judged(clean!, [scanner()], 'pass')).encrypted).toBe('opened');
      }
    });

    it('is not believed about an archive of more than it reads', async () => {
      const many = zipOf(Array.from({ length: 1500 }, (_, at) => ({ name: `${at}`, content: testFile(at === 1499) })));
      expect(await verdict(many, [scanner()])).toBe('infected');
    });
  });

  it('all have to agree', async () => {
    const pdf = await wrapped('pdf', true);
    const findings = await judged(pdf, [viaClamd(), viaIcap()]);
    expect(findings.checks.map(({ status, result }) => [status, result])).toEqual([
      ['FINISHED', 'infected'],
      ['FINISHED', 'not-scanned'],
    ]);
    expect(outcome(findings).verdict).toBe('infected');
    expect(outcome(await judged(await wrapped('pdf', false), [viaClamd(), viaIcap()])).verdict).toBe('not-scanned');
    expect(outcome(await judged(Buffer.from('text'), [viaClamd(), viaIcap()])).verdict).toBe('clean');
    expect(outcome(await judged(Buffer.from('text'), [])).verdict).toBe('not-scanned');
  });

  it('that are killed midway have failed, and are used again once they are back', async () => {
    const file = memoryFile(Buffer.alloc(3 * MEGABYTE, 'a'));
    for (const [running, scanner] of [
      [icap!, viaIcap()],
      [clamd!, viaClamd()],
    ] as const) {
      async function* slow(): AsyncGenerator<Uint8Array> {
        for await (const chunk of file.stream()) {
          yield chunk;
          if (killed === undefined) killed = running.kill();
          await killed;
        }
      }
      let killed: Promise<void> | undefined;
      const { checks } = await judged({ ...file, stream: slow }, [scanner]);
      expect(checks).toEqual([
        { plugin: scanner.scanner.name, status: 'FAILED', result: 'not-scanned', detail: expect.any(String) },
      ]);
      expect(await verdict(file, [scanner])).toBe('not-scanned');
      await expect(calibrate(scanner.scanner, { signal, sizes: 'quick' })).rejects.toMatchObject({
        code: 'scanner-failed',
      });
      await running.restart();
      expect(await verdict(file, [scanner])).toBe('clean');
      expect(await verdict(testFile(true), [scanner])).toBe('infected');
    }
  });
});

describe('the judge', () => {
  it('asks all scanners where one of them fails', async () => {
    const { checks } = await judged(testFile(true), [
      { scanner: parseScanner('clamd:127.0.0.1:1'), coverage: ALL },
      viaClamd(),
    ]);
    expect(checks.map(({ status, result }) => `${status} ${result}`)).toEqual([
      'FAILED not-scanned',
      'FINISHED infected',
    ]);
  });

  it('says how far it is, and what it found in hostile archives', async () => {
    const progress: number[] = [];
    const entry = { name: 'a', content: Buffer.from('aaaa') };
    const lying = zipOf([entry, { ...entry, offset: 0 }]);
    const findings = await judge(memoryFile(lying), {
      name: 'a.zip',
      scanners: [viaClamd()],
      signal,
      onProgress: (fraction) => progress.push(fraction),
    });
    expect(progress).toEqual([0.5, 1]);
    expect(outcome(findings)).toEqual({ verdict: 'infected', reason: 'archive: entries overlap' });
    expect(
      outcome(await judged(zipOf([{ name: 'a', content: Buffer.alloc(30 * MEGABYTE) }]), [viaClamd()])).verdict,
    ).toBe('not-scanned');
  });

  it('ends when the person cancels', async () => {
    const aborted = AbortSignal.abort(new Error('cancelled'));
    const options = { name: 'a', scanners: [viaClamd()], signal: aborted };
    await expect(judge(memoryFile(testFile(true)), options)).rejects.toThrow('cancelled');
  });

  it('keeps to a bounded memory with long files', async () => {
    const chunk = Buffer.alloc(65_536, 'abcdefgh');
    const size = 1024 * MEGABYTE;
    const long: FileBytes = {
      size,
      read: async (offset, length) => chunk.subarray(0, Math.max(0, Math.min(length, size - offset))),
      async *stream(from = 0, to = size) {
        for (let at = from; at < to; at += chunk.length) yield chunk.subarray(0, to - at);
      },
    };
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    // Takes all and finds nothing.
    const patient = {
      name: 'patient',
      scan: async (stream: AsyncIterable<Uint8Array>): Promise<ScanResult> => {
        for await (const _ of stream);
        return { result: 'clean' };
      },
    };
    await judged(long, [{ scanner: patient, coverage: ALL }, viaClamd()]);
    clearInterval(timer);
    expect((most - before) / MEGABYTE).toBeLessThan(100);
  });
});
