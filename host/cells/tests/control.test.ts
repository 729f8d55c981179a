import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { assertExtraFlags } from '../../surrogate/extra-flags.ts';
import { lineSplitter, MAX_LINE_BYTES } from '../control-lines.ts';
import { parseRequest } from '../control-messages.ts';

const ENTRY = path.join(import.meta.dirname, '../launcher-main.ts');
const BROWSER = {
  id: 1,
  verb: 'start-browser',
  target: 'b',
  cell: 'c',
  proxyPort: 9,
  hideScrollbars: false,
  extraArgs: [],
};

describe('requests to the launcher', () => {
  it('are accepted when every part is valid', () => {
    expect(parseRequest(BROWSER)).toEqual(BROWSER);
    const decoder = { id: 3, verb: 'start-decoder', target: 'decoder-1' };
    expect(parseRequest(decoder)).toEqual(decoder);
    expect(parseRequest({ id: 2, verb: 'kill', target: 'cell-1' })).toEqual({ id: 2, verb: 'kill', target: 'cell-1' });
  });

  it.each([
    null,
    [],
    'kill',
    { verb: 'kill', target: 'a' },
    { id: 1.5, verb: 'kill', target: 'a' },
    { id: 1, verb: 'exec', target: 'a' },
    { id: 1, verb: 'toString' },
    { id: 1, verb: 'kill', target: '../a' },
    { id: 1, verb: 'kill', target: 'a'.repeat(41) },
    { id: 1, verb: 'start-cell', target: 'a', cellEntry: '/bin/sh' },
    { id: 1, verb: 'start-decoder', target: 'a', network: 'none' },
    { id: 1, verb: 'start-decoder' },
    { ...BROWSER, executable: '/bin/sh' },
    { ...BROWSER, proxyPort: 65_536 },
    { ...BROWSER, proxyPort: '9' },
    { ...BROWSER, hideScrollbars: 1 },
    { ...BROWSER, extraArgs: ['a\0b'] },
    { ...BROWSER, extraArgs: [1] },
    { ...BROWSER, extraArgs: Array(65).fill('--lang=de') },
    { ...BROWSER, cell: undefined },
  ])('are refused otherwise: %j', (value) => {
    expect(() => parseRequest(value)).toThrow(expect.objectContaining({ code: 'bad-control' }));
  });

  it('come in lines of a bounded length', () => {
    const lines: string[] = [];
    const split = lineSplitter((line) => lines.push(line));
    for (const part of ['a', 'b\nc', 'd\n\n', 'ü'.repeat(3) + '\n']) split(Buffer.from(part));
    expect(lines).toEqual(['ab', 'cd', '', 'üüü']);
    const chunk = Buffer.alloc(1024, 'x');
    for (let n = 0; n < MAX_LINE_BYTES / 1024; n++) split(chunk);
    expect(() => split(chunk)).toThrow(expect.objectContaining({ code: 'bad-control' }));
    expect(() => lineSplitter(() => undefined)(Buffer.alloc(MAX_LINE_BYTES + 2, 'x'))).toThrow();
  });
});

describe('flags by request', () => {
  it('are limited to a list', () => {
    const good = [
      '--lang=de-CH',
      '--window-size=800,600',
      '--disable-lcd-text',
      '--disable-features=A,B',
      '--accept-lang=de,en',
    ];
    expect(() => assertExtraFlags(good)).not.toThrow();
  });

  it.each([
    '--no-sandbox',
    '--renderer-cmd-prefix=sh',
    '--proxy-server=http://127.0.0.1:1',
    '--user-data-dir=/x',
    '--load-extension=/x',
    '--disable-features=IsolateOrigins',
    '--disable-features=A,site-per-process,SitePerProcess',
    '--enable-features=A;$(x)',
    '--lang=a\nb',
    'https://example.com/',
    '',
  ])('are refused otherwise: %s', (flag) => {
    expect(() => assertExtraFlags([flag])).toThrow(expect.objectContaining({ code: 'surrogate-launch-failed' }));
  });
});

describe('the launcher’s process', () => {
  function launcher(): { readonly exit: Promise<unknown[]>; readonly control: Duplex; stderr(): string } {
    const child = spawn(process.execPath, [ENTRY], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return { exit: once(child, 'exit'), control: child.stdio[3] as Duplex, stderr: () => stderr }; // a pipe by its stdio
  }

  it.each(['no JSON\n', '{"id":1,"verb":"exec"}\n', `"${'x'.repeat(70_000)}`])(
    'ends after an invalid line',
    async (line) => {
      const { exit, control, stderr } = launcher();
      control.on('error', () => undefined); // it may close before all is written
      control.write(line);
      expect(await exit).toEqual([1, null]);
      expect(stderr()).toContain('launcher: ');
    },
  );

  it('starts nothing before it is configured, and ends with its control connection', async () => {
    const { exit, control } = launcher();
    control.write('{"id":7,"verb":"start-cell","target":"c"}\n');
    const [answer] = (await once(control, 'data')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ id: 7, error: { code: 'bad-control' } });
    control.end();
    expect(await exit).toEqual([0, null]);
  });

  it('imports no package', () => {
    const seen = new Set<string>();
    const packages: string[] = [];
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gm);
      for (const [whole, specifier = ''] of imports) {
        if (/^(import|export) type /.test(whole)) continue;
        if (specifier.startsWith('.')) visit(path.join(path.dirname(file), specifier));
        else if (!specifier.startsWith('node:') || !builtinModules.includes(specifier.slice(5)))
          packages.push(`${file}: ${specifier}`);
      }
    };
    visit(ENTRY);
    expect(seen.size).toBeGreaterThan(15);
    expect(packages).toEqual([]);
  });
});
