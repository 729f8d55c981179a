import { crc32, deflateSync } from 'node:zlib';
import type { Answer, Site } from '../e2e/support/site.ts';

/** A kind of page that is large in one way. */
export interface LargePage {
  readonly name: string;
  /** Its full size, and its size in the quick tier, where it has one. */
  readonly sizes: { readonly short?: number; readonly full: number };
  /** Number of its changes after it has loaded. */
  readonly changes?: (size: number) => number;
  /** Serves the page on a site; returns its path. The page marks its root `data-ready="1"` when it is complete. */
  serve(site: Site, size: number): string;
}

/** Marks the page as complete once all of it has loaded and been painted. */
const READY = `addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  document.documentElement.dataset.ready = '1';
})));`;

const WORDS = 'a page of many words that wrap in its narrow columns as those of any article would'.split(' ');

function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * 3) % WORDS.length]).join(' ');
}

function html(title: string, body: string, { head = '', script = READY } = {}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{margin:8px;font:14px sans-serif}</style>${head}<script>${script}</script></head><body>${body}</body></html>`;
}

function range<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function serve(site: Site, path: string, type: string, body: string | Buffer): string {
  const answer: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  };
  site.on(path, answer);
  return path;
}

function serveHtml(site: Site, path: string, text: string): string {
  return serve(site, path, 'text/html; charset=utf-8', text);
}

/** A section of 100 nodes: a heading, and rows of cells. */
function section(at: number): string {
  const row = (n: number): string => `<li class="r${n % 4}"><b>${at}.${n}</b><span>${words(at + n, 4)}</span></li>`;
  return `<section><h2>Part ${at}</h2><ul>${range(19, row).join('')}</ul><i></i></section>`;
}

const NODES: LargePage = {
  name: 'nodes',
  sizes: { full: 100_000 },
  serve: (site, size) => serveHtml(site, '/nodes', html('nodes', range(size / 100, section).join(''))),
};

const NODES_AT_ONCE: LargePage = {
  name: 'nodes at once',
  sizes: { short: 20_000, full: 100_000 },
  serve: (site, size) => {
    const script = `addEventListener('load', () => setTimeout(() => {
  const template = document.getElementById('all');
  document.body.append(template.content.cloneNode(true));
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = '1'; }));
}, 300));`;
    const body = `<h1>At once</h1><template id="all">${range(size / 100, section).join('')}</template>`;
    return serveHtml(site, '/nodes-at-once', html('nodes at once', body, { script }));
  },
};

/** About 100 bytes. */
function rule(at: number): string {
  const hue = (at * 37) % 360;
  return `.c${at} > .k${at}, #n${at} .l${at}[href^="x"]:hover { color: hsl(${hue} 50% 40%); padding: ${at % 9}px; }\n`;
}

function sheet(bytes: number, from: number): string {
  const rules: string[] = [];
  for (let units = 0; units < bytes; units += (rules.at(-1) as string).length) rules.push(rule(from + rules.length));
  return rules.join('');
}

const STYLED = range(500, (at) => `<p class="c${at}"><a class="k${at}" href="x${at}">${words(at, 6)}</a></p>`).join('');

const ONE_SHEET: LargePage = {
  name: 'one sheet',
  sizes: { short: 1_000_000, full: 5_000_000 },
  serve: (site, size) => {
    serve(site, '/one.css', 'text/css', sheet(size, 0));
    return serveHtml(
      site,
      '/one-sheet',
      html('one sheet', STYLED, { head: '<link rel="stylesheet" href="/one.css">' }),
    );
  },
};

/** Half of them in the document, half in files. */
const MANY_SHEETS: LargePage = {
  name: 'many sheets',
  sizes: { full: 5_000_000 },
  serve: (site, size) => {
    const count = 200;
    const head = range(count, (at) => {
      const text = sheet(size / count, at * 1000);
      if (at % 2 === 0) return `<style>${text}</style>`;
      return `<link rel="stylesheet" href="${serve(site, `/many-${at}.css`, 'text/css', text)}">`;
    });
    return serveHtml(site, '/many-sheets', html('many sheets', STYLED, { head: head.join('') }));
  },
};

/**
 * Size in seconds: text, attributes, rows that are added and removed. The final state depends on their number alone.
 */
const MUTATIONS: LargePage = {
  name: 'mutations',
  sizes: { short: 1000, full: 10_000 },
  changes: (size) => size,
  serve: (site, size) => {
    const script = `addEventListener('load', () => {
  const rows = document.getElementById('rows');
  let done = 0;
  const mutate = () => {
    const row = rows.children[done * 7 % rows.children.length];
    if (done % 4 === 0) row.className = 'r' + done;
    else if (done % 4 === 1) row.firstChild.data = 'changed ' + done;
    else if (done % 4 === 2) rows.append(Object.assign(document.createElement('p'), { textContent: 'new ' + done }));
    else row.remove();
    done++;
  };
  const start = performance.now();
  const timer = setInterval(() => {
    while (done < ${size} && done < performance.now() - start) mutate();
    if (done < ${size}) return;
    clearInterval(timer);
    requestAnimationFrame(() => { document.documentElement.dataset.ready = '1'; });
  }, 10);
});`;
    const rows = range(500, (at) => `<p>${words(at, 5)}</p>`).join('');
    return serveHtml(site, '/mutations', html('mutations', `<div id="rows">${rows}</div>`, { script }));
  },
};

const IMAGES: LargePage = {
  name: 'images',
  sizes: { short: 100, full: 500 },
  serve: (site, size) => {
    const images = range(
      size,
      (at) => `<img src="${serve(site, `/image-${at}.png`, 'image/png', png(at))}" alt="${at}">`,
    );
    return serveHtml(site, '/images', html('images', images.join(' ')));
  },
};

function frames(name: string, attributes: string): LargePage {
  return {
    name,
    sizes: { short: 10, full: 100 },
    serve: (site, size) => {
      const path = name.replace(' ', '-');
      const frame = (at: number): string => {
        const inner = serveHtml(site, `/${path}-${at}`, html(`frame ${at}`, `<h3>${at}</h3><p>${words(at, 20)}</p>`));
        return `<iframe ${attributes} src="${inner}" width="100" height="80"></iframe>`;
      };
      return serveHtml(site, `/${path}`, html(name, range(size, frame).join('\n')));
    },
  };
}

/** Blocks are laid out by recursion: Chromium itself crashes at three thousand nested ones. */
function deep(tag: 'div' | 'span', sizes: LargePage['sizes']): LargePage {
  return {
    name: `deep ${tag}s`,
    sizes,
    serve: (site, size) => {
      const script = `addEventListener('load', () => {
  let top = document.createElement('b');
  top.textContent = 'the deepest';
  for (let left = ${size}; left > 0; left--) {
    const outer = document.createElement('${tag}');
    outer.append(top);
    top = outer;
  }
  document.body.append(top);
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = '1'; }));
});`;
      return serveHtml(site, `/deep-${tag}`, html('deep', '<h1>Deep</h1>', { script }));
    },
  };
}

const TALL: LargePage = {
  name: 'tall',
  sizes: { full: 20_000 },
  serve: (site, size) => {
    const entry = (at: number): string => `<article><h2>Entry ${at}</h2><p>${words(at, 120)}</p>
<table>${range(4, (row) => `<tr>${range(6, (cell) => `<td>${words(row * cell, 2)}</td>`).join('')}</tr>`).join('')}</table></article>`;
    const head = '<style>article{height:200px;overflow:hidden;box-shadow:0 1px 4px #888;border-radius:6px}</style>';
    return serveHtml(site, '/tall', html('tall', range(size / 200, entry).join(''), { head }));
  },
};

/** All kinds. */
export const LARGE_PAGES: readonly LargePage[] = [
  NODES,
  NODES_AT_ONCE,
  ONE_SHEET,
  MANY_SHEETS,
  MUTATIONS,
  IMAGES,
  frames('frames', ''),
  frames('sandboxed frames', 'sandbox="allow-scripts"'),
  deep('div', { full: 2000 }),
  deep('span', { short: 2000, full: 5000 }),
  TALL,
];

/** A picture of 64 by 64 pixels that differs from all others. */
function png(seed: number): Buffer {
  const size = 64;
  const pixels = Buffer.alloc(size * (1 + size * 3));
  for (let at = 0; at < pixels.length; at++)
    if (at % (1 + size * 3) !== 0) pixels[at] = (seed * 31 + at * (seed + 1)) & 0xff;
  const header = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(data.length);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
