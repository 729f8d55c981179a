import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only, PageBrowser } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

describe('the tree', () => {
  it('[M-002] is sent completely: elements, attributes and text of all namespaces', async () => {
    const mirrored = await browser.open(`<!doctype html><html lang=en><head><title>T</title><script>1</script>
      <style>p { color: red }</style></head><body onload="1" class="a"><!-- no --><p id=p data-x="ä">Hello <b>you</b></p>
      <svg viewBox="0 0 1 1"><use xlink:href="#a"/><foreignObject><p>x</p></foreignObject></svg>
      <math><mi>x</mi></math><noscript><p>n</p></noscript><template><i>t</i></template><textarea>v</textarea></body></html>`);
    expect(mirrored.messages[0]).toEqual(['page.hello', expect.objectContaining({ url: 'http://page.test/' })]);
    expect(mirrored.tree.document?.name).toBe('standards');
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('[M-002] follows mutations with stable ids', async () => {
    const mirrored = await browser.open('<!doctype html><ul><li>1<li>2<li>3</ul>');
    const id = await mirrored.id('li:nth-child(2)');
    const ops = await mirrored.change(() => {
      const list = document.querySelector('ul')!;
      list.append(list.firstChild!);
      list.firstElementChild!.firstChild!.nodeValue = 'two';
      list.firstElementChild!.setAttribute('class', 'x');
      list.insertAdjacentHTML('afterbegin', '<li>0 <i>new</i></li>');
    });
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
    expect(await mirrored.id('li:nth-child(2)')).toBe(id);
    expect(only(ops, 'move')).toHaveLength(1);
    expect(only(ops, 'insert')).toHaveLength(1);
  });
});
