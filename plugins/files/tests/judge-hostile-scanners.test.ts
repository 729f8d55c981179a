import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import { parseScanner } from '../host/judge/scanners/parse-scanner.ts';
import type { ScanResult } from '../host/judge/scanners/scanner.ts';

/** Deadline of scanners that do not answer. */
const SHORT = { deadlineMs: 1000 };
const signal = new AbortController().signal;
const MEGABYTE = 1_048_576;

describe('the address of a scanner', () => {
  it.each([
    'clamd:/run/x.sock',
    'clamd:localhost:3310',
    'clamd:[::1]:3310',
    'icap://localhost/avscan',
    'icap://10.0.0.1:1344/a?b=c',
  ])('may be %s', (text) => {
    expect(parseScanner(text).name).toBe(text);
  });
  it.each([
    '',
    'clamd',
    'clamd:',
    'clamd:relative',
    'clamd:host',
    'clamd:host:0',
    'clamd:host:70000',
    'icap://host',
    'icap://host:99999/x',
    'http://x/y',
    'icap://h/a b',
    'icap://h/a\r\nX: y',
  ])('may not be %j', (text) =>
    expect(() => parseScanner(text)).toThrowError(expect.objectContaining({ code: 'invalid-scanner' })),
  );
});

describe('hostile scanners', () => {
  /** Asks a server that answers as it likes. */
  async function asked(
    kind: 'clamd' | 'icap',
    answer: (socket: net.Socket, received: string) => void,
    options: { bytes?: number; deadlineMs?: number } = {},
  ): Promise<ScanResult> {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      let received = '';
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received = (received + data.toString('latin1')).slice(-100_000);
        answer(socket, received);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const scanner = parseScanner(kind === 'clamd' ? `clamd:127.0.0.1:${port}` : `icap://127.0.0.1:${port}/scan`);
    try {
      const { bytes = 1000, deadlineMs = PATIENCE_MS } = options;
      return await scanner.scan(memoryFile(Buffer.alloc(bytes, 'a')).stream(), { name: 'a', signal, deadlineMs });
    } finally {
      // A socket that is paused does not notice.
      for (const socket of sockets) socket.removeAllListeners('data').resume();
      await expect
        .poll(() => [...sockets].every((socket) => socket.closed || socket.readableEnded || socket.destroyed))
        .toBe(true);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  }
  const failed = (text: string): object =>
    expect.objectContaining({ code: 'scanner-failed', message: expect.stringContaining(text) });
  const ended = (received: string): boolean => received.endsWith('\u0000\u0000\u0000\u0000');

  it('of clamd fail with the reason', async () => {
    await expect(asked('clamd', () => undefined, SHORT)).rejects.toEqual(failed('no answer within 1000 ms'));
    await expect(asked('clamd', (socket, received) => ended(received) && socket.end())).rejects.toEqual(
      failed('closed the connection'),
    );
    await expect(asked('clamd', (socket) => socket.write('nonsense\0'))).rejects.toEqual(failed('answered "nonsense"'));
    await expect(asked('clamd', (socket) => socket.write('x'.repeat(200_000)))).rejects.toEqual(
      failed('an answer without end'),
    );
    await expect(
      parseScanner('clamd:127.0.0.1:1').scan(memoryFile(Buffer.alloc(1)).stream(), {
        name: 'a',
        signal,
        deadlineMs: PATIENCE_MS,
      }),
    ).rejects.toEqual(failed('connection failed'));
  });

  it('of clamd that answer early, or refuse the length, have not scanned', async () => {
    const bytes = 20 * MEGABYTE;
    expect(await asked('clamd', (socket) => socket.write('stream: OK\0'), { bytes })).toMatchObject({
      result: 'not-scanned',
    });
    expect(
      await asked('clamd', (socket) => socket.end('INSTREAM size limit exceeded. ERROR\0'), { bytes }),
    ).toMatchObject({ result: 'not-scanned' });
    expect(await asked('clamd', (socket) => socket.write('stream: X FOUND\0'), { bytes })).toEqual({
      result: 'infected',
      detail: 'X',
    });
    // One that answers and reads no further.
    const stops = (socket: net.Socket): void => void socket.pause().write('stream: OK\0');
    expect(await asked('clamd', stops, { bytes })).toMatchObject({ result: 'not-scanned' });
    expect(await asked('clamd', (socket, received) => ended(received) && socket.write('stream: OK\0'))).toEqual({
      result: 'clean',
    });
  });

  it('that answer before the last byte are not believed, however short the file is', async () => {
    for (const bytes of [2, 1000, 100_000]) {
      const early = (socket: net.Socket, received: string): unknown =>
        received.length > 14 && socket.write('stream: OK\0');
      expect(await asked('clamd', (socket, received) => void early(socket, received), { bytes })).toMatchObject({
        result: 'not-scanned',
      });
      const answers = (socket: net.Socket, received: string): void => {
        if (received.includes('RESPMOD')) socket.write(head('204 No Content'));
        else socket.write(OPTIONS.replace('Preview: 100\r\n', ''));
      };
      expect(await asked('icap', answers, { bytes })).toMatchObject({ result: 'not-scanned' });
    }
  });

  const OPTIONS = 'ICAP/1.0 200 OK\r\nMethods: RESPMOD\r\nPreview: 100\r\nEncapsulated: null-body=0\r\n\r\n';
  const icapServer =
    (afterPreview: string, atEnd = '') =>
    (socket: net.Socket, received: string): void => {
      const state = socket as net.Socket & { step?: number };
      state.step ??= 0;
      if (state.step === 0 && received.includes('OPTIONS')) {
        state.step = 1;
        socket.write(OPTIONS);
      } else if (state.step === 1 && received.endsWith('\r\n0\r\n\r\n')) {
        state.step = 2;
        socket.write(afterPreview);
      } else if (state.step === 2 && received.endsWith('\r\n0\r\n\r\n')) {
        state.step = 3;
        socket.write(atEnd);
      }
    };
  const CONTINUE = 'ICAP/1.0 100 Continue\r\n\r\n';
  const head = (status: string, fields = ''): string => `ICAP/1.0 ${status}\r\n${fields}\r\n`;
  const HTTP = 'HTTP/1.1 200 OK\r\n\r\n';
  const body = (content: Buffer, http = HTTP): string =>
    `${head('200 OK', `Encapsulated: res-hdr=0, res-body=${http.length}\r\n`)}${http}${content.length.toString(16)}\r\n${content.toString('latin1')}\r\n0\r\n\r\n`;

  it('of ICAP are understood as RFC 3507 says', async () => {
    const at = (afterPreview: string, atEnd?: string): Promise<ScanResult> =>
      asked('icap', icapServer(afterPreview, atEnd));
    expect(await at(CONTINUE, head('204 No Content'))).toEqual({ result: 'clean' });
    expect(await at(head('204 No Content'))).toMatchObject({ result: 'not-scanned' });
    expect(await at(CONTINUE, body(Buffer.alloc(1000, 'a')))).toEqual({ result: 'clean' });
    expect(await at(CONTINUE, body(Buffer.alloc(1001)))).toMatchObject({ result: 'infected' });
    expect(await at(CONTINUE, body(Buffer.from('no'), 'HTTP/1.1 403 Forbidden\r\n\r\n'))).toMatchObject({
      result: 'infected',
    });
    expect(
      await at(
        head('200 OK', 'X-Infection-Found: Type=0; Resolution=2; Threat=Eicar;\r\nEncapsulated: null-body=0\r\n'),
      ),
    ).toEqual({ result: 'infected', detail: 'Eicar' });
    expect(await at(CONTINUE, head('200 OK', 'X-Virus-ID: Other\r\nEncapsulated: null-body=0\r\n'))).toEqual({
      result: 'infected',
      detail: 'Other',
    });
  });

  it('of ICAP fail with the reason', async () => {
    const at = (afterPreview: string, atEnd?: string, options = {}): Promise<ScanResult> =>
      asked('icap', icapServer(afterPreview, atEnd), options);
    await expect(asked('icap', () => undefined, SHORT)).rejects.toEqual(failed('no answer within'));
    await expect(asked('icap', (socket) => socket.end())).rejects.toEqual(failed('closed the connection'));
    await expect(asked('icap', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))).rejects.toEqual(
      failed('instead of ICAP'),
    );
    await expect(asked('icap', (socket) => socket.write(head('404 Not Found')))).rejects.toEqual(
      failed('no such service'),
    );
    await expect(asked('icap', (socket) => socket.write('x'.repeat(200_000)))).rejects.toEqual(
      failed('an answer without end'),
    );
    await expect(at(CONTINUE, '', SHORT)).rejects.toEqual(failed('no answer within'));
    await expect(at(CONTINUE, head('500 Error'))).rejects.toEqual(failed('status 500'));
    await expect(at(CONTINUE, body(Buffer.alloc(3 * MEGABYTE)))).rejects.toEqual(failed('an answer without end'));
    await expect(at(CONTINUE, body(Buffer.alloc(9)).replace('\r\n9\r\n', '\r\nzz\r\n'))).rejects.toEqual(
      failed('broken chunk'),
    );
  });

  it('are left at once when the person cancels', async () => {
    const cancelling = new AbortController();
    const server = net.createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const scan = parseScanner(`clamd:127.0.0.1:${port}`).scan(memoryFile(Buffer.alloc(10)).stream(), {
      name: 'a',
      signal: cancelling.signal,
      deadlineMs: PATIENCE_MS,
    });
    setTimeout(() => cancelling.abort(new Error('cancelled')), 50);
    await expect(scan).rejects.toThrow('cancelled');
    await new Promise((resolve) => server.close(resolve));
  });
});
