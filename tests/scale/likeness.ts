import type { Page } from 'playwright';

/** Counts of a document and the frames in it. */
export interface Likeness {
  readonly elements: number;
  readonly texts: number;
  readonly frames: number;
  readonly images: number;
  /** Rules of its style sheets; sheets that the page itself cannot read (other origins) are left out. */
  readonly rules: number;
  readonly depth: number;
  readonly height: number;
  /** Of names, classes and texts, in tree order. */
  readonly hash: number;
}

/** Counts in a document, or in the view that `view` selects, then with all frames in it. */
function countIn(view: string | undefined): Likeness {
  const silent = new Set(['script', 'style', 'template', 'iframe', 'noscript']);
  const count = { elements: 0, texts: 0, frames: 0, images: 0, rules: 0, depth: 0, hash: 0 };
  const look = (page: Document): void => {
    let hash = 0;
    const mix = (text: string): void => {
      for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    };
    for (const { cssRules } of [...page.styleSheets, ...page.adoptedStyleSheets]) {
      const isOurs = (cssRules[0] as CSSLayerBlockRule | undefined)?.name === 'vitrine'; // prefixes of sheets of the client and of the host
      if (!isOurs) count.rules += cssRules.length;
    }
    let depth = 0;
    for (let node: Node | null = page.documentElement; node;) {
      let down: Node | null = null;
      if (node.nodeType === Node.TEXT_NODE) {
        count.texts++;
        mix((node as Text).data);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const element = node as HTMLElement;
        const name = element.localName.replace(/^v-/, '');
        count.elements++;
        mix(`${name} ${element.getAttribute('class') ?? ''}`);
        if (name === 'img' && (element as HTMLImageElement).naturalWidth > 0) count.images++;
        if (name === 'iframe') {
          count.frames++;
          const inner = view === undefined ? undefined : (element as HTMLIFrameElement).contentDocument;
          if (inner) look(inner);
        }
        if (!silent.has(name)) down = node.firstChild;
      }
      if (down) {
        count.depth = Math.max(count.depth, ++depth);
        node = down;
        continue;
      }
      while (node && !node.nextSibling) {
        node = node === page.documentElement ? null : node.parentNode;
        depth--;
      }
      node = node?.nextSibling ?? null;
    }
    count.hash = (count.hash + hash) | 0; // of all documents, in any order
  };
  const page = view === undefined ? document : document.querySelector<HTMLIFrameElement>(view)?.contentDocument;
  if (!page) throw new Error('there is no page to look at');
  look(page);
  return { ...count, height: page.documentElement.scrollHeight };
}

/** Counts the content of the view. */
export function likenessOfView(shell: Page): Promise<Likeness> {
  return shell.evaluate(countIn, 'iframe[data-vitrine-frame="main"]');
}

/** Counts the content of a page that was opened directly. */
export async function likenessOfPage(page: Page): Promise<Likeness> {
  const [first, ...others] = await Promise.all(page.frames().map((frame) => frame.evaluate(countIn, undefined)));
  if (!first) throw new Error('the page has no frame');
  return others.reduce(
    (sum, other) => ({
      elements: sum.elements + other.elements,
      texts: sum.texts + other.texts,
      frames: sum.frames + other.frames,
      images: sum.images + other.images,
      rules: sum.rules + other.rules,
      depth: Math.max(sum.depth, other.depth),
      hash: (sum.hash + other.hash) | 0,
      height: sum.height,
    }),
    first,
  );
}
