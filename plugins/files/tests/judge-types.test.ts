import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asyncGrowthBetween } from '../../../core/testing/growth.ts';
import { memoryFile } from '../host/judge/format/file-bytes.ts';
import { fileType } from '../host/judge/file-type.ts';
import { officeOf, pdfOf, tarOf } from '../host/judge/scanners/wrappings.ts';
import { oleOf, zipOf } from './judge/samples.ts';

const text = (content: string): Buffer => Buffer.from(content);
const utf16 = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le');
const entry = (name: string, content = 'x', stored = false) => ({ name, content: text(content), stored });
const MSI = Buffer.from('84100c0000000000c000000000000046', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');

const CASES: readonly (readonly [string, Buffer | Promise<Buffer>, string, string, string])[] = [
  ['a PDF', pdfOf('a', text('a')), 'application/pdf', 'pdf', 'document'],
  ['a PDF after rubbish', Buffer.concat([text('\n\n  '), pdfOf('a', text('a'))]), 'application/pdf', 'pdf', 'document'],
  ['a PNG', Buffer.concat([PNG, Buffer.alloc(40)]), 'image/png', 'png', 'image'],
  [
    'a program of Windows',
    Buffer.concat([text('MZ'), Buffer.alloc(100)]),
    'application/x-msdownload',
    'exe',
    'executable',
  ],
  ['a program of Linux', text('\u007fELF\u0002\u0001\u0001'), 'application/x-elf', 'elf', 'executable'],
  [
    'a program of macOS',
    Buffer.from('cffaedfe0700000100000000', 'hex'),
    'application/x-mach-binary',
    'macho',
    'executable',
  ],
  ['HTML', text('<!DOCTYPE html><p>'), 'text/html', 'html', 'markup'],
  ['HTML after a comment', text('<!-- x --><html><body>'), 'text/html', 'html', 'markup'],
  ['HTML in UTF-16', utf16('<html><script>alert(1)</script>'), 'text/html', 'html', 'markup'],
  ['HTML after text', text('hello <script >alert(1)</script>'), 'text/html', 'html', 'markup'],
  ['SVG', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 'svg', 'markup'],
  ['XML', text('<?xml version="1.0"?><a/>'), 'application/xml', 'xml', 'markup'],
  ['a shell script', text('#!/bin/sh\necho'), 'application/x-sh', 'sh', 'script'],
  ['a Python script', text('#!/usr/bin/env python3\n'), 'text/x-python', 'py', 'script'],
  ['a batch file', text('@echo off\r\ndel *.*'), 'application/x-bat', 'bat', 'script'],
  ['PowerShell', text('$a = New-Object Net.WebClient'), 'application/x-powershell', 'ps1', 'script'],
  ['VBScript', text('Set s = CreateObject("WScript.Shell")'), 'text/vbscript', 'vbs', 'script'],
  ['JavaScript', text('var a = new ActiveXObject("x")'), 'text/javascript', 'js', 'script'],
  [
    'a shortcut of the internet',
    text('[InternetShortcut]\r\nURL=file:///x'),
    'application/x-mswinurl',
    'url',
    'executable',
  ],
  [
    'a shortcut of Windows',
    Buffer.from('4c0000000114020000000000c000000000000046'.padEnd(160, '0'), 'hex'),
    'application/x-ms-shortcut',
    'lnk',
    'executable',
  ],
  ['old Word', oleOf(['WordDocument']), 'application/msword', 'doc', 'document'],
  ['old Excel', oleOf(['Workbook']), 'application/vnd.ms-excel', 'xls', 'document'],
  ['old PowerPoint', oleOf(['PowerPoint Document']), 'application/vnd.ms-powerpoint', 'ppt', 'document'],
  ['an installer', oleOf(['x'], MSI), 'application/x-msi', 'msi', 'executable'],
  [
    'Word',
    officeOf(text('x')),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'docx',
    'document',
  ],
  [
    'Word with macros',
    zipOf([entry('[Content_Types].xml'), entry('word/document.xml'), entry('word/vbaProject.bin')]),
    'application/vnd.ms-word.document.macroenabled.12',
    'docm',
    'document',
  ],
  [
    'Excel',
    zipOf([entry('[Content_Types].xml'), entry('xl/workbook.xml')]),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'xlsx',
    'document',
  ],
  [
    'OpenDocument',
    zipOf([entry('mimetype', 'application/vnd.oasis.opendocument.text', true)]),
    'application/vnd.oasis.opendocument.text',
    'odt',
    'document',
  ],
  ['a program of Java', zipOf([entry('META-INF/MANIFEST.MF')]), 'application/java-archive', 'jar', 'executable'],
  ['a zip file', zipOf([entry('a.txt')]), 'application/zip', 'zip', 'archive'],
  ['a cut zip file', zipOf([entry('a.txt')]).subarray(0, 40), 'application/zip', 'zip', 'archive'],
  ['a tar file', tarOf('a.txt', text('a')), 'application/x-tar', 'tar', 'archive'],
  ['a gzip file', gzipSync('a'), 'application/gzip', 'gz', 'archive'],
  ['a 7z file', Buffer.from('377abcaf271c000400000000', 'hex'), 'application/x-7z-compressed', '7z', 'archive'],
  ['text', text('Dear all,\nthe sum is 3 < 4.'), 'text/plain', 'txt', 'text'],
  ['text in Latin-1', Buffer.from('caf\u00e9 ol\u00e9', 'latin1'), 'text/plain', 'txt', 'text'],
  ['text in UTF-16', utf16('hello'), 'text/plain', 'txt', 'text'],
  ['text of digits', text('0707012345\n'), 'text/plain', 'txt', 'text'],
  ['JSON', text('{"a": 1}'), 'application/json', 'json', 'text'],
  ['nothing', text(''), 'text/plain', 'txt', 'text'],
  ['noise', Buffer.from('00ff00ff01fe9a', 'hex'), 'application/octet-stream', 'bin', 'other'],
];

describe('the type of a file', () => {
  it.each(CASES)('tells %s', async (_, content, mime, extension, group) => {
    const type = await fileType(memoryFile(await content));
    expect({ mime: type.mime, extension: type.extension, group: type.group }).toEqual({ mime, extension, group });
  });

  it('is text where numbers stand in the place of the checksum of a tar file', async () => {
    for (const digit of '0123456789') {
      const table = text(`${digit} ${digit}${digit}\n`.repeat(200));
      await expect(fileType(memoryFile(table))).resolves.toMatchObject({ group: 'text' });
    }
  });

  it('is found for any bytes', async () => {
    const starts = CASES.map(([, content]) => content);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(starts.length - 1),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255))),
        fc.nat(2000),
        async (which, edits, length) => {
          const bytes = Buffer.from((await starts[which])!).subarray(0, length);
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
          expect((await fileType(memoryFile(bytes))).mime).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to hostile bytes', async () => {
    const units = [
      '<',
      '<a ',
      '[',
      '{',
      ' ',
      '\n',
      '<?xml ',
      '"use strict"',
      'const ${}, ',
      '/Encrypt ',
      '%PDF-/Encrypt 1 ',
      '<!--',
      'import x ',
    ];
    const run = (bytes: Buffer): Promise<unknown> => fileType(memoryFile(bytes));
    for (const unit of units) {
      const input = (length: number): Buffer => Buffer.from(unit.repeat(length / unit.length));
      expect(await asyncGrowthBetween({ input, run }, 9, [500_000, 2_000_000]), unit).toBeLessThan(9);
    }
  });
});
