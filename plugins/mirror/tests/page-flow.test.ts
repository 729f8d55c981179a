import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_UNITS, OP } from '../ops.ts';
import { only, PageBrowser } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

describe('the flow of batches', () => {
  it('is held on request, and then sends only the final state', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    await mirrored.send('mirror.hold', { held: true });
    for (let i = 1; i <= 3; i++) {
      const ops = await mirrored.change((text) => {
        document.querySelector('p')!.firstChild!.nodeValue = text;
        document.body.append(document.createElement('b'));
      }, String(i));
      expect(ops).toEqual([]);
    }
    await mirrored.send('mirror.hold', { held: false });
    const ops = await mirrored.wait(50);
    expect(ops.map(({ op }) => op[0])).toEqual([OP.insert, OP.text]);
    expect(ops[1]!.text(ops[1]!.op[2]!)).toBe('3');
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('goes on while the page yields to nothing but itself', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    const draws = mirrored.page.evaluate(async () => {
      const text = document.querySelector('p')!.firstChild as Text;
      let frames = 0;
      const drawn = (): void => {
        frames++;
        requestAnimationFrame(drawn);
      };
      requestAnimationFrame(drawn);
      for (let n = 0; n < 150 || (frames < 10 && n < 3000); n++) {
        for (const step = performance.now() + 10; performance.now() < step;);
        text.data += '.';
        await scheduler.yield();
      }
      return frames;
    });
    const frames = await draws;
    const texts = (await mirrored.wait()).filter(({ op }) => op[0] === OP.text);
    expect(frames).toBeGreaterThan(3);
    expect(texts.length).toBeGreaterThan(frames / 2);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('goes on while the page has nothing but urgent tasks', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    await mirrored.page.evaluate(() =>
      scheduler.postTask(
        async () => {
          const text = document.querySelector('p')!.firstChild as Text;
          for (let n = 0; n < 100; n++) {
            for (const step = performance.now() + 10; performance.now() < step;);
            text.data += '.';
            await scheduler.yield();
          }
        },
        { priority: 'user-blocking' },
      ),
    );
    const texts = (await mirrored.wait()).filter(({ op }) => op[0] === OP.text);
    expect(texts.length).toBeGreaterThan(5);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('is one batch for changes of the page in a task and right after it', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    await mirrored.page.evaluate(async () => {
      const text = document.querySelector('p')!.firstChild as Text;
      for (const n of [1, 2, 3]) {
        text.data = String(n);
        await Promise.resolve();
      }
    });
    expect((await mirrored.wait()).map(({ op }) => op[0])).toEqual([OP.text]);
  });

  it('splits large changes, in breadth and in depth', async () => {
    const mirrored = await browser.open('<!doctype html><body>');
    const before = mirrored.batches.length;
    await mirrored.change(() => {
      let deep: Element = document.body.appendChild(document.createElement('main'));
      for (let i = 0; i < 300; i++) {
        deep.append(`text ${i} `.repeat(200), document.createElement('i'), 'tail');
        deep = deep.querySelector('i')!;
      }
      document.body.insertAdjacentHTML('beforeend', `<p class="${'x'.repeat(50)}">y</p>`.repeat(5000));
      document.body.prepend('first');
    });
    const batches = mirrored.batches.slice(before);
    expect(batches.length).toBeGreaterThan(2);
    expect(batches.map(({ more }) => more)).toEqual([...batches.slice(1).map(() => true), false]);
    for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(BATCH_UNITS * 1.3);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('[M-051] starts again on request: another epoch, all ids assigned again', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    const { epoch } = mirrored.tree;
    await mirrored.send('mirror.page-resync', {});
    await mirrored.read();
    expect(mirrored.tree.epoch).not.toBe(epoch);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
    expect(await mirrored.id('p')).toBeGreaterThan(0);
  });

  it('sends the sheets of the head before the content of the body, so that it is never laid out without them', async () => {
    const mirrored = await browser.open('<!doctype html><style>p { color: red }</style><p>0</p><style>b {}</style>');
    await mirrored.send('mirror.page-resync', {});
    const ops = await mirrored.wait(50);
    expect(ops.map(({ op }) => op[0]).slice(0, 5)).toEqual([OP.doc, OP.insert, OP.sheet, OP.insert, OP.sheet]);
    expect(ops[2]!.text(ops[2]!.op[3]!)).toBe('p { color: red }');
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('survives document.open, which removes listeners and may change the mode', async () => {
    const mirrored = await browser.open('<!doctype html><p>0</p>');
    await mirrored.change(() => {
      document.open();
      document.write('<body style="height:5000px"><p>written</p>');
      document.close();
    });
    expect(mirrored.tree.document?.name).toBe('quirks');
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
    await mirrored.change(() => document.body.append('more'));
    await mirrored.page.evaluate(() => scrollTo(0, 100));
    expect(only(await mirrored.wait(), 'scroll').at(-1)?.op).toEqual([OP.scroll, 1, 0, 6400]);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('stays small when rows change their order', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `<li>row ${i}</li>`).join('');
    const mirrored = await browser.open(`<!doctype html><ul>${rows}</ul>`);
    const before = mirrored.batches.length;
    const reversed = await mirrored.change(() => {
      const list = document.querySelector('ul')!;
      list.append(...[...list.childNodes].reverse());
    });
    expect(reversed.every(({ op }) => op[0] === OP.move)).toBe(true);
    expect(JSON.stringify(mirrored.batches.slice(before)).length).toBeLessThan(24_000);
    expect(
      await mirrored.change(() => document.querySelector('ul')!.append(document.querySelector('li')!)),
    ).toHaveLength(1);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });
});

describe('documents', () => {
  const doctypes: [name: string, mode: string, doctype: string][] = [
    ['no doctype', 'quirks', ''],
    ['the HTML doctype', 'standards', '<!doctype html>'],
    [
      'XHTML 1.0 Transitional',
      'limited-quirks',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    ],
    [
      'HTML 4.01 Transitional with an address',
      'limited-quirks',
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
    ],
    ['HTML 4.01 Transitional without one', 'quirks', '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">'],
    [
      'HTML 4.01 Strict',
      'standards',
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
    ],
  ];
  it.each(doctypes)('with %s are in %s mode', async (_name, mode, doctype) => {
    const mirrored = await browser.open(`${doctype}<p>x`);
    expect(mirrored.tree.document?.name).toBe(mode);
  });

  it('in XML have their kind, namespaces and CDATA', async () => {
    const mirrored = await browser.open(
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p xml:lang="en"><![CDATA[a < b]]></p>
       <x:y xmlns:x="urn:x" x:z="1">other</x:y></body></html>`,
      'application/xhtml+xml',
    );
    expect(mirrored.all('doc').at(-1)?.op[2]).toBe(1);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('of SVG are complete', async () => {
    const mirrored = await browser.open(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><g id="g"/><use l:href="#g"/></svg>`,
      'image/svg+xml',
    );
    expect(mirrored.all('doc').at(-1)?.op[2]).toBe(2);
    const use = mirrored.tree.node(await mirrored.id('use'));
    expect(Object.fromEntries(use.attributes)).toEqual({ 'xlink:href': '#g' });
  });
});
