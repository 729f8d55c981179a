import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageBrowser } from './page-browser.ts';
import type { MirroredPage } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

interface Offset {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const resolve = async (mirrored: MirroredPage, selector: string, offset?: Offset): Promise<unknown> => {
  const node = await mirrored.id(selector);
  const target = { frame: 1, epoch: mirrored.tree.epoch, node, x: 5, y: 5, ...(offset && { offset }) };
  return mirrored.call('page.resolve-target', { target });
};

describe('a target', () => {
  it('[S-045] is found by its node, at an offset scaled from the box that the person sees', async () => {
    const mirrored = await browser.open(
      `<!doctype html><body style="margin:0"><button id=b style="position:absolute;left:100px;top:50px;width:200px;height:40px">b</button>`,
    );
    const node = await mirrored.id('#b');
    expect(await resolve(mirrored, '#b', { x: 25, y: 10, width: 100, height: 20 })).toEqual({
      x: 150,
      y: 70,
      hit: true,
      node,
      bar: false,
    });
    expect(await resolve(mirrored, '#b')).toEqual({ x: 200, y: 70, hit: true, node, bar: false });
  });

  it('is scrolled into view, in its scroller and in the page', async () => {
    const mirrored = await browser.open(
      `<!doctype html><body style="margin:0"><div style="height:3000px"></div>
       <div id=s style="height:100px;overflow:auto"><div style="height:500px"></div><button id=b>b</button></div>`,
    );
    const found = (await resolve(mirrored, '#b')) as { x: number; y: number; hit: boolean };
    expect(found.hit).toBe(true);
    expect(await mirrored.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.id, found)).toBe('b');
    expect(await mirrored.page.evaluate(() => scrollY > 0 && document.querySelector('#s')!.scrollTop > 0)).toBe(true);
  });

  it('is tried at its other boxes where something covers it, and reported as missed where none works', async () => {
    const mirrored = await browser.open(
      `<!doctype html><body style="margin:0;font:20px/40px monospace;width:300px"><a id=a href="#">long words in a link
       that takes two lines</a><div id=c style="position:absolute;left:0;top:0;width:300px;height:40px"></div>`,
    );
    const found = (await resolve(mirrored, '#a', { x: 10, y: 5, width: 300, height: 80 })) as { y: number };
    expect(found).toMatchObject({ hit: true, node: await mirrored.id('#a') });
    expect(found.y).toBeGreaterThan(40);
    await mirrored.change(() => (document.querySelector<HTMLElement>('#c')!.style.height = '500px'));
    expect(await resolve(mirrored, '#a')).toMatchObject({ hit: false, node: await mirrored.id('#c') });
  });

  it('is found through shadow roots, and by its position when its node is removed', async () => {
    const mirrored = await browser.open('<!doctype html><body style="margin:0"><div id=h></div>');
    await mirrored.change(() => {
      document.querySelector('#h')!.attachShadow({ mode: 'open' }).innerHTML = '<button>b</button>';
      document.querySelector('#h')!.id = 'h';
    });
    const inner = (await mirrored.id('#h')) + 2;
    const target = { frame: 1, node: inner, x: 1, y: 1 };
    expect(await mirrored.call('page.resolve-target', { target })).toMatchObject({ hit: true, node: inner });
    const gone = { frame: 1, epoch: mirrored.tree.epoch + 1, node: inner, x: 3, y: 4 };
    expect(await mirrored.call('page.resolve-target', { target: gone })).toEqual({
      x: 3,
      y: 4,
      hit: true,
      node: inner,
      bar: false,
    });
  });

  it('is not misled by controls that are named like properties', async () => {
    const mirrored = await browser.open(
      `<!doctype html><form id=f><input name=firstChild><input name=nextSibling><input name=attributes><input name=localName>
       <input name=parentNode><input name=nodeType><input name=shadowRoot><input name=children></form>
       <img name=firstChild><img name=baseURI><img name=URL><form name=activeElement></form><img name=adoptedStyleSheets>
       <a id=vitrineSend></a><a id=chrome></a>`,
    );
    await mirrored.change(() => document.forms[0]!.append('late'));
    const form = mirrored.tree.node(await mirrored.id('#f'));
    expect(form.children.filter(({ name }) => name === 'input')).toHaveLength(8);
    expect(form.children.at(-1)?.text).toBe('late');
    expect(await resolve(mirrored, '#f')).toMatchObject({ hit: true });
  });
});

describe('an edit', () => {
  it('[R-102] reaches listeners as input and change, bypassing overrides of the page on the control', async () => {
    const mirrored = await browser.open(
      `<!doctype html><input id=i><input id=r type=range><input id=d type=date><input id=l list=own><datalist id=own><option value=mine></datalist><select id=s><option>1<option>2</select>`,
    );
    await mirrored.page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      for (const type of ['input', 'change'])
        addEventListener(type, ({ target }) => {
          const { id, value } = target as HTMLInputElement;
          seen.push([type, id, value].join(' '));
        });
    });
    for (const [selector, by, value] of [
      ['#r', 'slider', '7'],
      ['#d', 'picker', '2026-01-02'],
      ['#l', 'suggestion', 'mine'],
      ['#s', 'select', '1'],
      // None of these can come from such means: the browser may have filled them in.
      ['#i', 'suggestion', 'kept password'],
      ['#i', 'picker', 'kept password'],
      ['#l', 'suggestion', 'kept address'],
      ['#r', 'picker', '9'],
    ] as const)
      await mirrored.call('page.set-value', {
        target: { frame: 1, node: await mirrored.id(selector), x: 0, y: 0 },
        by,
        value,
      });
    expect(await mirrored.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
      'input r 7',
      'change r 7',
      'input d 2026-01-02',
      'change d 2026-01-02',
      'input l mine',
      'change l mine',
      'input s 2',
      'change s 2',
    ]);
    const gone = { target: { frame: 1, node: 9999, x: 0, y: 0 }, by: 'select', value: 'x' };
    await expect(mirrored.call('page.set-value', gone)).rejects.toThrow('no-target');
  });

  it('[R-102] chooses just these options of a list of several, and none', async () => {
    const mirrored = await browser.open(
      '<!doctype html><select id=s multiple><option selected>0<option>1<option disabled>2<option selected>3</select>',
    );
    const target = { frame: 1, node: await mirrored.id('#s'), x: 0, y: 0 };
    const chosen = async (value: string): Promise<unknown> => {
      await mirrored.call('page.set-value', { target, by: 'select', value });
      return mirrored.page.evaluate(() =>
        [...document.querySelector('select')!.selectedOptions].map(({ text }) => text).join(),
      );
    };
    expect(await chosen('1,2,3')).toBe('1,3');
    expect(await chosen('')).toBe('');
  });

  it('[R-102] of the scroll position and the focus is applied', async () => {
    const mirrored = await browser.open(
      `<!doctype html><body style="height:4000px;width:4000px"><input id=i>
       <div id=d style="height:50px;width:50px;overflow:auto"><div style="height:500px;width:500px"></div></div>`,
    );
    const target = { frame: 1, x: 0, y: 0 };
    await mirrored.send('page.scroll-to', { target, left: 30, top: 120 });
    expect(await mirrored.page.evaluate(() => [scrollX, scrollY])).toEqual([30, 120]);
    const scroller = { ...target, node: await mirrored.id('#d') };
    await mirrored.send('page.scroll-to', { target: scroller, left: 8, top: 9 });
    const inner = await mirrored.page.evaluate(() => {
      const { scrollLeft, scrollTop } = document.querySelector('#d')!;
      return [scrollLeft, scrollTop];
    });
    expect(inner).toEqual([8, 9]);
    await mirrored.call('page.focus', { target: { ...target, node: await mirrored.id('#i') } });
    expect(await mirrored.page.evaluate(() => document.activeElement?.id)).toBe('i');
    await mirrored.call('page.focus', { target });
    expect(await mirrored.page.evaluate(() => document.activeElement?.localName)).toBe('body');
  });
});
