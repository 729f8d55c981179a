import { setTimeout as delay } from 'node:timers/promises';
import type { Canary } from '../e2e/support/canary.ts';
import type { Engine } from './engine.ts';
import { Person } from './person.ts';

/** Time for late code or loads, in ms. */
const LATE_MS = 2_000;
/** Prefix of the globals that planted code sets in the top window; the rest are the ground's own. */
const MARK = 'planted';
let grounds = 0;

/** Environment for planted hostile elements. */
interface Ground {
  /**
   * The document in which the empty documents are placed: an iframe of the top document, or the top document itself.
   */
  readonly frame: string | undefined;
  /** The address of an empty document. */
  readonly template: string;
  /** Whether plants that navigate the top document, or open windows, are included. */
  readonly leaves: boolean;
}

/** Effects of the plants. */
interface Harvest {
  /** The plants whose code has run. */
  readonly ran: readonly string[];
  /** Documents that were navigated, by plant. */
  readonly led: readonly string[];
  /** Forbidden requests. */
  readonly visits: readonly string[];
}

/**
 * Puts content that the host and the client never let into a view right into empty documents, each plant into one of
 * its own, clicks the clickable ones, and waits: only the documents' own policy protects.
 */
export async function harvest(engine: Engine, canary: Canary, ground: Ground): Promise<Harvest> {
  const person = new Person(engine);
  const before = canary.visits.length;
  const mark = `${MARK}${++grounds}`;
  const baits = await engine.evaluate(plant, { ...ground, canary: canary.origin, mark });
  await delay(LATE_MS);
  for (const { x, y } of baits) {
    await person.click(x, y);
    await person.press('Enter');
  }
  await delay(LATE_MS);
  const { ran, led } = await engine.evaluate(look, { frame: ground.frame, mark });
  return { ran, led, visits: canary.visits.slice(before) };
}

/** An element: name (`svg:a` of SVG), attributes, and children or text. */
type Plant = readonly [name: string, attributes?: Readonly<Record<string, string>>, inside?: readonly Plant[] | string];

/** Runs in the top document. Returns the points to click. */
async function plant({
  frame,
  template,
  leaves,
  canary,
  mark,
}: Ground & { readonly canary: string; readonly mark: string }): Promise<{ x: number; y: number }[]> {
  const SVG = 'http://www.w3.org/2000/svg';
  const HTML = 'http://www.w3.org/1999/xhtml';
  const owner = frame === undefined ? null : document.querySelector<HTMLIFrameElement>(frame);
  const ground = owner?.contentDocument ?? document;
  /** Code without quotes or spaces that records its name when it runs. */
  const run = (name: string): string => `void(top.${mark}=(top.${mark}||/ran/.source)+/,${name}/.source)`;
  const poke = { class: 'poke', tabindex: '0' };
  const script = (name: string): string => `data:text/javascript,${run(name)}`;
  /** The same for documents of an origin of their own. */
  const send = (name: string): string => `top.postMessage('${name}','*')`;
  const page = (name: string): string => `data:text/html,<script>${send(name)}</script><img src=${canary}/${name}>`;
  const plants: Record<string, readonly Plant[]> = {
    'script-text': [['script', {}, run('script-text')]],
    'script-data': [['script', { src: script('script-data') }]],
    'script-module': [['script', { type: 'module' }, run('script-module')]],
    'script-away': [['script', { src: `${canary}/script` }]],
    'script-svg': [['svg:svg', {}, [['svg:script', {}, run('script-svg')]]]],
    'script-svg-data': [['svg:svg', {}, [['svg:script', { href: script('script-svg-data') }]]]],
    'image-error': [['img', { src: 'data:,', onerror: run('image-error') }]],
    'style-load': [['style', { onload: run('style-load') }, 'p{}']],
    'frame-load': [['iframe', { onload: run('frame-load') }]],
    'svg-load': [['svg:svg', { onload: run('svg-load') }]],
    'video-error': [['video', { src: 'data:,', onerror: run('video-error') }]],
    toggle: [['details', { open: '', ontoggle: run('toggle') }, 'x']],
    focus: [['input', { autofocus: '', onfocus: run('focus'), class: 'poke' }]],
    click: [['div', { ...poke, onclick: run('click') }]],
    press: [['div', { ...poke, onmousedown: run('press'), onpointerdown: run('pointer') }]],
    key: [['div', { ...poke, onkeydown: run('key') }]],
    animation: [
      ['style', {}, '@keyframes k{to{left:1px}}div{animation:k 10ms 2;position:relative}'],
      ['div', { onanimationstart: run('animation') }],
    ],
    'animation-svg': [
      [
        'svg:svg',
        {},
        [['svg:rect', {}, [['svg:animate', { attributeName: 'x', dur: '9ms', onbegin: run('svg-begin') }]]]],
      ],
    ],
    link: [['a', { ...poke, href: `javascript:${run('link')}` }]],
    'link-mixed': [['a', { ...poke, href: ` jAva\tscript:${run('link-mixed')}` }]],
    'link-svg': [
      [
        'svg:svg',
        { width: '40', height: '20' },
        [['svg:a', { href: `javascript:${run('link-svg')}` }, [['svg:rect', { ...poke, width: '40', height: '20' }]]]],
      ],
    ],
    'link-animated': [
      [
        'svg:svg',
        { width: '40', height: '20' },
        [
          [
            'svg:a',
            { href: '#' },
            [
              [
                'svg:animate',
                {
                  attributeName: 'href',
                  values: `javascript:${run('link-animated')}`,
                  begin: '0s',
                  fill: 'freeze',
                  dur: '1ms',
                },
              ],
              ['svg:rect', { ...poke, width: '40', height: '20' }],
            ],
          ],
        ],
      ],
    ],
    'link-to-frame': [
      ['iframe', { name: 'inner', height: '9', style: 'display:none' }],
      ['a', { ...poke, target: 'inner', href: `javascript:parent.${run('link-to-frame')}` }],
    ],
    'link-away': [['a', { ...poke, href: `${canary}/link` }]],
    ping: [['a', { ...poke, href: '#', ping: `${canary}/ping` }]],
    form: [['form', { action: `javascript:${run('form')}` }, [['button', poke]]]],
    'form-away': [['form', { action: `${canary}/form`, method: 'post' }, [['button', poke]]]],
    'form-button': [['form', {}, [['button', { ...poke, formaction: `javascript:${run('form-button')}` }]]]],
    'refresh-code': [['meta', { 'http-equiv': 'refresh', content: `0;url=javascript:${run('refresh-code')}` }]],
    'refresh-data': [['meta', { 'http-equiv': 'refresh', content: `0;url=${page('refresh-data')}` }]],
    'refresh-away': [['meta', { 'http-equiv': 'refresh', content: `0;url=${canary}/refresh` }]],
    'frame-code': [['iframe', { src: `javascript:${run('frame-code')}` }]],
    'frame-data': [['iframe', { src: page('frame-data') }]],
    'frame-text': [['iframe', { srcdoc: `<script>${run('frame-text')}</script><img src=${canary}/srcdoc>` }]],
    'frame-unsandboxed': [
      ['iframe', { sandbox: 'allow-scripts', srcdoc: `<script>${send('frame-unsandboxed')}</script>` }],
    ],
    'frame-away': [['iframe', { src: `${canary}/frame` }]],
    'object-code': [['object', { data: `javascript:${run('object-code')}` }]],
    'object-data': [['object', { data: page('object-data'), type: 'text/html' }]],
    'object-away': [['object', { data: `${canary}/object` }]],
    'embed-code': [['embed', { src: `javascript:${run('embed-code')}` }]],
    'embed-away': [['embed', { src: `${canary}/embed`, type: 'text/html' }]],
    base: [
      ['base', { href: `${canary}/base/` }],
      ['img', { src: 'based' }],
    ],
    image: [['img', { src: `${canary}/image`, srcset: `${canary}/set 2x` }]],
    'image-svg': [['svg:svg', {}, [['svg:image', { href: `${canary}/svg-image`, width: '9', height: '9' }]]]],
    use: [['svg:svg', {}, [['svg:use', { href: `${canary}/use#x` }]]]],
    filter: [
      [
        'svg:svg',
        {},
        [
          ['svg:filter', { id: 'f' }, [['svg:feImage', { href: `${canary}/fe` }]]],
          ['svg:rect', { width: '9', height: '9', filter: 'url(#f)' }],
        ],
      ],
    ],
    media: [['video', { src: `${canary}/video`, poster: `${canary}/poster`, autoplay: '', preload: 'auto' }]],
    audio: [['audio', { preload: 'auto' }, [['source', { src: `${canary}/source` }]]]],
    track: [['video', {}, [['track', { src: `${canary}/track`, default: '', kind: 'subtitles' }]]]],
    'style-import': [['style', {}, `@import "${canary}/import";`]],
    'style-image': [
      ['style', {}, `body{background:url(${canary}/background)}`],
      ['p', { style: `background:url(${canary}/style)` }],
    ],
    'style-font': [
      ['style', {}, `@font-face{font-family:x;src:url(${canary}/font)}p{font-family:x}`],
      ['p', {}, 'x'],
    ],
    'link-sheet': [['link', { rel: 'stylesheet', href: `${canary}/sheet` }]],
    'link-preload': [['link', { rel: 'preload', as: 'image', href: `${canary}/preload` }]],
    'link-module': [['link', { rel: 'modulepreload', href: `${canary}/module` }]],
    'link-prefetch': [['link', { rel: 'prefetch', href: `${canary}/prefetch` }]],
    ...(leaves && {
      'leave-top': [['a', { ...poke, target: '_top', href: `${canary}/top` }]],
      'leave-top-code': [['a', { ...poke, target: '_top', href: `javascript:${run('leave-top-code')}` }]],
      'leave-window': [['a', { ...poke, target: '_blank', href: `${canary}/window` }]],
      'leave-window-code': [
        ['a', { ...poke, target: '_blank', href: `javascript:opener.${run('leave-window-code')}` }],
      ],
    }),
  };

  const grow = (into: Node, within: Document, [name, attributes = {}, inside = []]: Plant): void => {
    const local = name.replace('svg:', '');
    const element = within.createElementNS(local === name ? HTML : SVG, local);
    const attempt = (set: () => void): void => {
      try {
        set();
      } catch {
        // Trusted Types have refused it.
      }
    };
    for (const [key, value] of Object.entries(attributes)) attempt(() => element.setAttribute(key, value));
    if (typeof inside === 'string') attempt(() => (element.textContent = inside));
    else for (const child of inside) grow(element, within, child);
    attempt(() => into.appendChild(element));
  };

  window.addEventListener('message', ({ data }) => {
    const name = String(data);
    if (name in plants) Reflect.set(window, mark, `${Reflect.get(window, mark) ?? 'ran'},${name}`);
  });
  const body = ground.body;
  body.replaceChildren();
  body.style.cssText = 'margin:0';
  await Promise.all(
    Object.entries(plants).map(async ([name, all], at) => {
      const place = ground.createElement('iframe');
      if (owner) place.setAttribute('sandbox', owner.getAttribute('sandbox') ?? '');
      place.dataset['plant'] = name;
      place.style.cssText = `position:fixed;left:${(at % 12) * 100}px;top:${Math.floor(at / 12) * 100}px;width:90px;height:90px;border:0`;
      await new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`There is no ground for ${name}.`)), 30_000);
        place.addEventListener('load', () => place.contentDocument?.URL.endsWith(template) && resolve(undefined));
        place.src = template;
        body.append(place);
      });
      const { contentDocument: within } = place;
      if (!within) return;
      const root = within.querySelector('body') ?? within.documentElement;
      if (within.contentType !== 'text/html') {
        const sheet = within.createProcessingInstruction(
          'xml-stylesheet',
          `type="text/css" href="${canary}/instruction"`,
        );
        within.insertBefore(sheet, within.documentElement);
      }
      const sheet = new (within.defaultView as Window & typeof globalThis).CSSStyleSheet(); // every window has its globals
      sheet.replaceSync('.poke{display:block;width:40px;height:20px;background:red}');
      within.adoptedStyleSheets = [sheet];
      for (const each of all) grow(root, within, each);
    }),
  );
  const places = [...body.querySelectorAll<HTMLIFrameElement>('iframe[data-plant]')];
  return places.flatMap((place) => {
    const box = place.contentDocument?.querySelector('.poke')?.getBoundingClientRect();
    const origin = place.getBoundingClientRect();
    return box ? [{ x: Math.round(origin.x + box.x + 5), y: Math.round(origin.y + box.y + 5) }] : [];
  });
}

/** Runs in the top document. */
function look({
  frame,
  mark,
}: {
  readonly frame: string | undefined;
  readonly mark: string;
}): Pick<Harvest, 'ran' | 'led'> {
  const owner = frame === undefined ? null : document.querySelector<HTMLIFrameElement>(frame);
  const ground = owner?.contentDocument ?? document;
  const ran = (Reflect.get(window, mark) as string | undefined)?.split(',').slice(1) ?? []; // results of the plants
  const led = [...ground.querySelectorAll<HTMLIFrameElement>('iframe[data-plant]')].flatMap((place) => {
    // Where a browser has blocked a navigation it shows a document of its own, which cannot be accessed.
    const address = place.contentDocument?.URL.replace(/#.*/, '') ?? place.src;
    return address === place.src ? [] : [`${place.dataset['plant'] ?? ''} to ${address}`];
  });
  return { ran, led };
}
