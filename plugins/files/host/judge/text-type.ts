import { typed } from './format/file-groups.ts';
import type { FileType } from './format/file-groups.ts';

/** Interpreters by the last word of a `#!` line. */
const INTERPRETERS: readonly (readonly [RegExp, string, string])[] = [
  [/python/, 'text/x-python', 'py'],
  [/\b(node|deno|bun)\b/, 'text/javascript', 'js'],
  [/perl/, 'text/x-perl', 'pl'],
  [/ruby/, 'text/x-ruby', 'rb'],
  [/php/, 'application/x-httpd-php', 'php'],
  [/pwsh/, 'application/x-powershell', 'ps1'],
];

/** Tags that make a browser take a file for HTML, wherever it stands among the first bytes. */
const HTML =
  /<(?:!doctype\s+html|html|head|body|script|iframe|object|embed|meta|title|table|form|base|style|link|a|img|div|h1|p|br)[\s/>]/i;
const SVG = /<(?:[a-z]{1,16}:)?svg[\s/>]/i;

/** Markers of scripts that have no `#!` line; each alone says enough. */
const SCRIPTS: readonly (readonly [RegExp, string, string])[] = [
  [/^\s{0,64}<\?php/i, 'application/x-httpd-php', 'php'],
  [/^\s{0,64}@echo\s+(?:off|on)\b|^\s{0,64}(?:setlocal|rem )/im, 'application/x-bat', 'bat'],
  [
    /\b(?:Set-ExecutionPolicy|Invoke-Expression|Invoke-WebRequest|New-Object|Write-Host|Get-ChildItem|Start-Process)\b|\[CmdletBinding\(/i,
    'application/x-powershell',
    'ps1',
  ],
  [
    /\b(?:CreateObject|WScript\.(?:Shell|Echo|CreateObject)|GetObject)\s{0,4}\(|^\s{0,64}(?:Option Explicit|On Error Resume Next)\b/im,
    'text/vbscript',
    'vbs',
  ],
  [
    /\bnew ActiveXObject\s{0,4}\(|^\s{0,64}(?:'use strict'|"use strict")|^\s{0,64}(?:import\s[^\n]{1,200}\sfrom\s|(?:async\s)?function\s[\w$]{1,64}\s{0,4}\(|const\s[\w${},\s]{1,200}=\s)/m,
    'text/javascript',
    'js',
  ],
];

/** Text of the first bytes, where they are text: with its mark of order, as UTF-16 without one, or as bytes without controls. */
function decoded(
  head: Uint8Array,
): { text: string; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1' } | undefined {
  if (head.length === 0) return undefined;
  const even = head.subarray(0, head.length & ~1);
  const wide = (encoding: 'utf-16le' | 'utf-16be'): string => new TextDecoder(encoding).decode(even);
  if (head[0] === 0xff && head[1] === 0xfe) return { text: wide('utf-16le'), encoding: 'utf-16le' };
  if (head[0] === 0xfe && head[1] === 0xff) return { text: wide('utf-16be'), encoding: 'utf-16be' };
  let controls = 0;
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at] ?? 0;
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  }
  const [evenZeros = 0, oddZeros = 0] = zeros;
  if (controls > 0) return undefined;
  // Latin text in UTF-16: nearly every second byte is zero, and none of the others.
  if (evenZeros === 0 && oddZeros > head.length * 0.4) return { text: wide('utf-16le'), encoding: 'utf-16le' };
  if (oddZeros === 0 && evenZeros > head.length * 0.4) return { text: wide('utf-16be'), encoding: 'utf-16be' };
  if (evenZeros + oddZeros > 0) return undefined;
  const text = new TextDecoder('utf-8').decode(head);
  // The last character may be cut.
  const broken = text.slice(0, -3).includes('\ufffd');
  return broken ? { text: Buffer.from(head).toString('latin1'), encoding: 'latin1' } : { text, encoding: 'utf-8' };
}

function markupOf(text: string): FileType | undefined {
  const start = text.trimStart();
  if (!start.startsWith('<') && !HTML.test(text.slice(0, 1024))) return undefined;
  if (/^<(?:!doctype\s+html|html)[\s>]/i.test(start)) return typed('text/html', 'html');
  if (/^<(?:\?xml|!doctype|!--|[a-z]{1,16}:|svg)/i.test(start)) {
    if (SVG.test(text)) return typed('image/svg+xml', 'svg');
    // XHTML runs scripts as HTML does.
    if (start.startsWith('<?xml') && /<html[\s>]/i.test(text)) return typed('application/xhtml+xml', 'html');
    if (start.startsWith('<?xml') && !start.includes('<script')) return typed('application/xml', 'xml');
  }
  return HTML.test(text) ? typed('text/html', 'html') : undefined;
}

/** Type of a text, by its first bytes: script, markup, shortcut or plain text; undefined for other bytes. */
export function textType(head: Uint8Array): FileType | undefined {
  const found = decoded(head);
  if (!found) return undefined;
  const text = found.text.replace(/^\ufeff/, '');
  if (text.startsWith('#!')) {
    const line = text.slice(2, 256).split('\n', 1)[0] ?? '';
    const [, mime = 'application/x-sh', extension = 'sh'] = INTERPRETERS.find(([pattern]) => pattern.test(line)) ?? [];
    return { mime, extension, group: 'script' };
  }
  if (/^\s{0,64}\[(?:\{000214A0[^\]]{0,40}\}|InternetShortcut)\]/im.test(text)) {
    return { mime: 'application/x-mswinurl', extension: 'url', group: 'executable' };
  }
  if (/^\s{0,64}\[Desktop Entry\]/im.test(text))
    return { mime: 'application/x-desktop', extension: 'desktop', group: 'executable' };
  if (/^\s{0,64}(?:Windows Registry Editor|REGEDIT4)/.test(text)) return typed('application/x-ms-regedit', 'reg');
  if (text.startsWith('{\\rtf')) return typed('application/rtf', 'rtf');
  const [, phpMime, phpExtension] = SCRIPTS[0]?.[0].test(text) ? SCRIPTS[0] : [];
  if (phpMime !== undefined && phpExtension !== undefined)
    return { mime: phpMime, extension: phpExtension, group: 'script' };
  const markup = markupOf(text);
  if (markup) return { ...markup, group: 'markup' };
  const script = SCRIPTS.find(([pattern]) => pattern.test(text));
  if (script) return { mime: script[1], extension: script[2], group: 'script' };
  return /^\s{0,64}[[{]\s{0,64}["{[\d\]}]/.test(text)
    ? { mime: 'application/json', extension: 'json', group: 'text' }
    : typed('text/plain', 'txt');
}
