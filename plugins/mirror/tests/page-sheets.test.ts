import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHEET_SOURCE } from '../ops.ts';
import { numbers, only, PageBrowser, texts } from './page-browser.ts';
import type { SeenOp } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

describe('style sheets', () => {
  it('are sent with their source, and as rules once script has changed them', async () => {
    const mirrored = await browser.open(`<!doctype html><style media="screen">p { color: red }</style><p>x`);
    const [first] = mirrored.all('sheet');
    expect(first?.op[2]).toBe(SHEET_SOURCE.inline);
    expect([first!.text(first!.op[3]!), first!.text(first!.op[4]!)]).toEqual(['p { color: red }', 'screen']);

    const inserted = await mirrored.change(() => {
      document.styleSheets[0]!.insertRule('b { color: blue }', 1);
      document.querySelector('p')!.title = 'now';
    });
    expect(texts(only(inserted, 'append'), 2)).toEqual(['b { color: blue; }\n']);
    expect(only(inserted, 'sheet')).toEqual([]);
    const atFront = await mirrored.change(() => {
      document.styleSheets[0]!.insertRule('u { color: blue }', 0);
      document.querySelector('p')!.title = 'then';
    });
    expect(only(atFront, 'sheet')[0]!.op[2]).toBe(SHEET_SOURCE.rules);
    expect(texts(only(atFront, 'sheet'), 3)).toEqual(['u { color: blue; }\np { color: red; }\nb { color: blue; }\n']);

    const replaced = await mirrored.change(() => (document.querySelector('style')!.textContent = 'i { color: green }'));
    expect(texts(only(replaced, 'sheet'), 3)).toEqual(['i { color: green }']);
    const disabled = await mirrored.change(() => {
      document.styleSheets[0]!.disabled = true;
      document.body.append('x');
    });
    expect(only(disabled, 'sheet')[0]!.op[5]).toBe(1);
  });

  it('whose text is replaced soon after they came are sent once, as that text', async () => {
    const mirrored = await browser.open('<!doctype html><body>');
    const after = (ms: number, act: () => void): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(() => {
          act();
          resolve();
        }, ms);
      });
    await mirrored.page.evaluate(`globalThis.after = ${after.toString()}`);
    // A poll compares a new sheet that another poll has seen before: some are replaced between the two.
    const ops = await mirrored.change(async () => {
      const { after: wait } = globalThis as unknown as { after: typeof after };
      const styles = Array.from({ length: 20 }, async (_, at) => {
        const style = document.createElement('style');
        style.textContent = 'p { color: red }';
        await wait(at * 10, () => document.head.append(style));
        await wait(20, () => style.sheet!.insertRule('b { color: blue }', 1));
        await wait(130, () => (style.textContent = 'i { color: green }'));
      });
      await Promise.all(styles);
      await wait(300, () => undefined);
    });
    const replaced = texts(only(ops, 'sheet'), 3).filter((text) => text.startsWith('i'));
    expect(replaced).toEqual(Array.from({ length: 20 }, () => 'i { color: green }'));
  });

  it('of sets that are not enabled are disabled, until script enables one', async () => {
    const css = (color: string): string => `data:text/css,p{color:${color}}`;
    const mirrored = await browser.open(
      `<!doctype html><link rel="alternate stylesheet" href="${css('red')}">
      <link rel="alternate stylesheet" title="other" href="${css('green')}"><style title="usual">p { color: blue }</style>
      <style title="third">p { color: gray }</style><style>p { margin: 0 }</style><p>x`,
    );
    await expect.poll(async () => (await mirrored.wait(100), mirrored.all('sheet').length)).toBe(5);
    const states = (ops: readonly SeenOp[]): Record<string, number> =>
      Object.fromEntries(ops.map(({ op, text }) => [/[a-z]+(?=[ ;}]*$)|0/.exec(text(op[3]!))![0], op[5]!]));
    expect(states(mirrored.all('sheet'))).toEqual({ red: 1, green: 1, blue: 0, gray: 1, 0: 0 });
    expect(await mirrored.page.evaluate(() => getComputedStyle(document.querySelector('p')!).color)).toBe(
      'rgb(0, 0, 255)',
    );

    const before = mirrored.all('sheet').length;
    await mirrored.change(() => {
      const link = document.querySelector<HTMLLinkElement>('link[title]')!;
      link.disabled = true;
      link.disabled = false;
      document.querySelector('style')!.disabled = true;
    });
    const changed = async (): Promise<unknown> => (await mirrored.wait(), states(mirrored.all('sheet').slice(before)));
    await expect.poll(changed).toEqual({ green: 0, blue: 1 });
  });

  it.each([
    '<link rel="stylesheet" title="A">',
    '<link rel="stylesheet/less" title="A" href="data:text/css,a{}">',
    '<link rel="stylesheet" type="text/less" title="A" href="data:text/css,a{}">',
    '<style type="text/x" title="A">a{}</style>',
  ])('are enabled next to an element that makes no sheet and names a set: %s', async (markup) => {
    const mirrored = await browser.open(`<!doctype html>${markup}<style title="B">p { color: blue }</style><p>x`);
    const [sheet] = mirrored.all('sheet').slice(-1);
    expect([sheet!.text(sheet!.op[3]!), sheet!.op[5]]).toEqual(['p { color: blue }', 0]);
    const color = await mirrored.page.evaluate(() => getComputedStyle(document.querySelector('p')!).color);
    expect(color).toBe('rgb(0, 0, 255)');
  });

  it('that script fills at once are sent as rules', async () => {
    const mirrored = await browser.open('<!doctype html><body>');
    const ops = await mirrored.change(() => {
      const empty = document.head.appendChild(document.createElement('style'));
      empty.sheet!.insertRule('a { color: red }');
      const mixed = document.head.appendChild(document.createElement('style'));
      mixed.textContent = 'b { color: red }';
      mixed.sheet!.insertRule('i { color: red }');
    });
    expect(texts(only(ops, 'sheet'), 3)).toEqual(['a { color: red; }\n', 'i { color: red; }\nb { color: red; }\n']);
  });

  it('of which script has changed a rule at once are soon sent as rules, the others are not', async () => {
    const mirrored = await browser.open(
      `<!doctype html><style>p { color: red }</style><style>b { color: red }</style><script>
      document.styleSheets[0].cssRules[0].style.color = 'blue';
      const style = document.head.appendChild(document.createElement('style'));
      style.sheet.insertRule('i { color: red }');
      setTimeout(() => style.sheet.cssRules[0].style.color = 'blue');
      </script><p>x`,
    );
    const sent = async (): Promise<unknown[][]> => {
      await mirrored.wait();
      return mirrored.all('sheet').map(({ op, text }) => [op[2], text(op[3]!)]);
    };
    await expect.poll(sent).toContainEqual([SHEET_SOURCE.rules, 'p { color: blue; }\n']);
    await expect.poll(sent).toContainEqual([SHEET_SOURCE.rules, 'i { color: blue; }\n']);
    expect((await sent()).filter(([, text]) => String(text).startsWith('b'))).toEqual([
      [SHEET_SOURCE.inline, 'b { color: red }'],
    ]);
  });

  it('include the fonts that script has created, while the page has them', async () => {
    const source = ['DejaVu Sans', 'Liberation Sans', 'Arial', 'Helvetica'].map((name) => `local("${name}")`).join();
    const mirrored = await browser.open('<!doctype html><p>x');
    const font = { family: 'Late One', style: 'normal', weight: '700', stretch: 'normal', range: 'U+0-10FFFF' };
    await mirrored.page.evaluate(async (source) => {
      const face = new FontFace('Late One', source, { weight: '700', ascentOverride: '50%' });
      document.fonts.add(await face.load());
      Object.assign(window, { face });
    }, source);
    await mirrored.send('mirror.font-loaded', { ...font, source: 'http://page.test/f"ont.woff' });
    await mirrored.send('mirror.font-loaded', { ...font, family: 'Other', source: 'http://page.test/other.woff' });
    const defined = async (): Promise<string[]> => (await mirrored.wait(), texts(mirrored.all('define'), 2));
    await expect
      .poll(defined)
      .toEqual([
        '@font-face { font-family: "Late One"; src: url("http://page.test/f\\"ont.woff"); font-weight: 700; ascent-override: 50%; }\n',
      ]);
    expect(numbers(mirrored.all('adopt')).at(-1)).toEqual([1, 1]);
    await mirrored.page.evaluate(() => document.fonts.delete((window as unknown as { face: FontFace }).face));
    await expect.poll(async () => (await defined()).at(-1)).toBe('');
  });

  it('are compared when the host has reported a change that the page half cannot observe', async () => {
    const mirrored = await browser.open('<!doctype html><style>p { color: red }</style>');
    const id = await mirrored.id('style');
    await mirrored.send('mirror.sheets-dirty', { nodes: [id] });
    expect(only(await mirrored.wait(), 'sheet')).toEqual([]);
    await mirrored.page.evaluate(() => {
      (document.styleSheets[0]!.cssRules[0] as CSSStyleRule).style.color = 'blue';
    });
    await mirrored.send('mirror.sheets-dirty', { nodes: [id] });
    expect(texts(only(await mirrored.wait(), 'sheet'), 3)).toEqual(['p { color: blue; }\n']);
  });

  it('that are constructed are defined once, adopted in order, and sent again when replaced late', async () => {
    const mirrored = await browser.open('<!doctype html><div id=host></div>');
    const ops = await mirrored.change(() => {
      const [a, b] = [new CSSStyleSheet(), new CSSStyleSheet()];
      a.replaceSync('p { color: red }');
      b.replaceSync('b { color: red }');
      document.adoptedStyleSheets = [a, b];
      document.querySelector('#host')!.attachShadow({ mode: 'open' }).adoptedStyleSheets = [b];
      document.querySelector('#host')!.setAttribute('x', '');
    });
    const defined = new Map(only(ops, 'define').map(({ op, text }) => [op[1], text(op[2]!)]));
    const adopted = new Map(only(ops, 'adopt').map(({ op }) => [op[1], op.slice(2).map((id) => defined.get(id))]));
    expect(defined.size).toBe(2);
    expect(adopted.get(1)).toEqual(['p { color: red; }\n', 'b { color: red; }\n']);
    expect(adopted.get((await mirrored.id('#host')) + 1)).toEqual(['b { color: red; }\n']);
    await mirrored.page.evaluate(() => document.adoptedStyleSheets[1]!.replaceSync('b { color: blue }'));
    const late = await mirrored.wait();
    expect(texts(only(late, 'define'), 2)).toEqual(['b { color: blue; }\n']);
    expect(only(late, 'adopt')).toEqual([]);
  });
});
