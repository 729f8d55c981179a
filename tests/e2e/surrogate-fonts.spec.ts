import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright';
import type { Browser, ElementHandle, Frame } from 'playwright';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';
import { chromiumPath } from '../fidelity/browser.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A browser of a machine that has one font only, for every family: its width is unique. */
async function otherMachine(folder: string): Promise<Browser> {
  const fonts = path.join(folder, 'other-fonts');
  await mkdir(path.join(fonts, 'cache'), { recursive: true });
  const file = execFileSync('fc-match', ['-f', '%{file}', 'Liberation Serif:bold:italic'], { encoding: 'utf8' });
  await copyFile(file, path.join(fonts, path.basename(file)));
  await writeFile(
    path.join(fonts, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${fonts}/cache</cachedir>
    <match target="pattern"><edit name="hintstyle" mode="append"><const>hintslight</const></edit></match></fontconfig>`,
  );
  return chromium.launch({
    executablePath: chromiumPath(),
    args: PERSON_FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: path.join(fonts, 'fonts.conf') },
  });
}

/** Sizes of each element with an id: runs in the page. */
const MEASURE = `Object.fromEntries([...document.querySelectorAll('[id]')].map((element) => {
  const { width, height } = element.getBoundingClientRect();
  return [element.id, [width, height, parseFloat(getComputedStyle(element).fontSize)].map((size) => Math.round(size * 10) / 10)];
}))`;

const TEXT = 'Wide illicit AVAST 0123 fi';
const FAMILIES: Readonly<Record<string, string>> = {
  serif: 'serif',
  sans: 'sans-serif',
  monolist: 'Menlo, monospace',
  system: 'system-ui, -apple-system, sans-serif',
  cursive: 'cursive',
  uimono: 'ui-monospace, Menlo, Monaco, monospace',
  apple: '-apple-system, BlinkMacSystemFont, Segoe UI',
  arial: 'Arial, sans-serif',
  helvetica: 'Helvetica Neue, Helvetica',
  times: '"Times New Roman"',
  courier: 'Courier New, monospace',
  missing: '"No Such Family"',
  missingsans: 'No Such Family, sans-serif',
  dejavu: 'DejaVu Serif',
  initial: 'initial',
  variable: 'var(--stack)',
  greek: 'DejaVu Sans',
};

const page = `<!doctype html><meta charset=utf-8><title>-</title><style>
:root { --stack: "No Such Family", Arial, sans-serif }
span, button, textarea, select, input { width: max-content }
${Object.entries(FAMILIES)
  .map(([id, family]) => `#${id} { font-family: ${family} }`)
  .join('\n')}
#shorthand { font: italic bold 20px/1.5 Georgia, serif } #shortmono { font: 17px monospace }
</style>
<p><span id=default>${TEXT}</span>
${Object.keys(FAMILIES)
  .map(
    (id) =>
      `<p><span id=${id}>${id === 'greek' ? 'Ελληνικά, русский → ∑' : TEXT}</span> <b><span id=${id}-b style="font-family:inherit">${TEXT}</span></b>`,
  )
  .join('\n')}
<p><span id=shorthand>${TEXT}</span> <span id=shortmono>${TEXT}</span>
<p><span id=inline style="font-family: Verdana, sans-serif">${TEXT}</span> <font face="Arial, monospace"><span id=face>${TEXT}</span></font>
<p><button id=button>${TEXT}</button> <input id=input size=10> <input id=submit type=submit value="${TEXT}"> <select id=select><option>${TEXT}</select> <textarea id=area cols=20></textarea> <input id=date type=date> <input id=em type=time style="font-size:1em">
<pre><span id=pre>${TEXT}</span></pre><p><code id=code>${TEXT}</code> <kbd id=kbd>${TEXT} <code id=inner>${TEXT}</code></kbd> <span style="font-size:20px"><samp id=samp>${TEXT}</samp></span>
<p><code id=small style="font-size:80%">${TEXT}</code> <code id=larger style="font-size:large">${TEXT}</code>
<p><svg width=600 height=30><text id=svg y=20 font-family="sans-serif">${TEXT}</text></svg>
<script>addEventListener('load', () => { document.documentElement.dataset.measured = JSON.stringify(${MEASURE}) })</script>`;

test('text has the surrogate’s measures on a machine with other fonts', async ({ folder, site, vitrine }) => {
  site.on('/', page);
  const browser = await otherMachine(folder);
  try {
    const person = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const asked: string[] = [];
    person.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/c/f/')) asked.push(request.url());
    });
    await person.goto(`${vitrine}/${site.origin}/`);
    await shown(person);
    const root = view(person).locator(':root');
    await expect(root).toHaveAttribute('data-measured', /^\{/);
    const surrogate = JSON.parse((await root.getAttribute('data-measured')) ?? '') as Record<string, number[]>;
    expect(surrogate['missing']).not.toEqual(surrogate['monolist']);
    const handle = (await root.elementHandle()) as ElementHandle;
    const frame = (await handle.ownerFrame()) as Frame;
    await expect.poll(() => frame.evaluate(MEASURE)).toEqual(surrogate);
    expect(asked.length).toBeGreaterThan(0);
  } finally {
    await browser.close();
  }
});
