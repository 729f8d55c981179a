import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ELEMENT_FLAGS, LENGTH_ATTRIBUTE, NO_STRING, OP, TOP_LAYER } from '../ops.ts';
import { RELATIONS } from '../relations.ts';
import { numbers, only, PageBrowser, texts } from './page-browser.ts';
import type { SeenOp } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

describe('form state', () => {
  it('is sent where it differs from the attributes, also when it changes without an event', async () => {
    const mirrored =
      await browser.open(`<!doctype html><input id=a value=1><input id=b type=checkbox><textarea id=t>x</textarea>
      <select id=s><option>1<option>2<option selected>3</select><select id=m multiple><option>1<option>2</select>`);
    for (const name of ['value', 'checked', 'selected'] as const) expect(mirrored.all(name)).toEqual([]);
    await mirrored.page.evaluate(() => {
      const control = (id: string) => document.getElementById(id) as HTMLInputElement & HTMLSelectElement;
      control('a').value = 'silent';
      control('b').indeterminate = true;
      control('b').checked = true;
      control('t').value = 'y';
      control('s').selectedIndex = 1;
      control('m').options[0]!.selected = true;
      control('m').options[1]!.selected = true;
      control('a').setCustomValidity('no');
    });
    const ops = await mirrored.wait();
    // The order in which controls are checked is unspecified.
    expect(texts(only(ops, 'value'), 2).sort()).toEqual(['silent', 'y']);
    expect(numbers(only(ops, 'checked'))).toEqual([[await mirrored.id('#b'), 3]]);
    expect(numbers(only(ops, 'selected'))).toEqual([
      [await mirrored.id('#s'), 1],
      [await mirrored.id('#m'), 0, 1],
    ]);
    expect(texts(only(ops, 'validity'), 2)).toEqual(['no']);
  });

  it('is sent of lists of several selected options, whose order of arrival says which is active', async () => {
    const mirrored = await browser.open(
      '<!doctype html><select multiple id=one><option selected>1<option>2</select><select multiple id=two><option selected>1<option selected>2</select>',
    );
    expect(numbers(mirrored.all('selected'))).toEqual([[await mirrored.id('#two'), 0, 1]]);
  });

  it('is sent again of a list whose new options would change it in the view', async () => {
    const mirrored = await browser.open('<!doctype html><select><option>1<option selected>2</select>');
    const ops = await mirrored.change(() => {
      const select = document.querySelector('select')!;
      select.append(new Option('3', '3', true, true)); // which the view selects by its attribute
      select.selectedIndex = 1;
    });
    expect(numbers(only(ops, 'selected'))).toEqual([[await mirrored.id('select'), 1]]);
  });

  it('[M-061] reports an invalid value where the view, which shows text, would not know', async () => {
    const mirrored = await browser.open(
      '<!doctype html><input type=email id=mail><input type=number id=number max=5><input type=url id=url><input required>',
    );
    const ids = [await mirrored.id('#mail'), await mirrored.id('#number')];
    const set = async (mail: string, number: string): Promise<readonly unknown[]> => {
      await mirrored.page.evaluate(
        (values) => {
          for (const [id, value] of Object.entries(values))
            (document.getElementById(id) as HTMLInputElement).value = value;
        },
        { mail, number, url: mail },
      );
      return only(await mirrored.wait(), 'validity').map(({ op, text }) => [op[1], text(op[2]!) !== '']);
    };
    expect(await set('not an address', '9')).toEqual(ids.map((id) => [id, true]));
    expect(await set('a@b.test', '4')).toEqual(ids.map((id) => [id, false]));
  });

  it('[M-061] sends the length of number inputs, where the page leaves it to the browser, and the value of inputs last', async () => {
    const mirrored = await browser.open(
      '<!doctype html><style>.plain::-webkit-inner-spin-button{-webkit-appearance:none}</style><div id=box style="width:90px;display:grid">' +
        '<input type=number id=a min=1 max=10></div><input type=number id=b size=3><input type=number id=c min=1 max=10 style="width:50px">' +
        '<input type=number id=d><input id=e size=4 min=1 max=10><input type=number id=f class=plain min=1 max=100>' +
        '<input type=number id=g min=1 max=100><input type=range id=range value=1 min=0.1 max=2.5 step=0.1>',
    );
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const ids = await Promise.all(names.map((name) => mirrored.id(`#${name}`)));
    const said = (ops: readonly SeenOp[]): unknown[] =>
      only(ops, 'attribute')
        .filter(({ op, text }) => text(op[2]!) === LENGTH_ATTRIBUTE)
        .map(({ op, text }) => [
          names[ids.indexOf(op[1]!)],
          op[3] === NO_STRING ? null : Math.round(parseFloat(text(op[3]!))),
        ]);
    await mirrored.wait();
    const [wide = 0, plain = 0] = await mirrored.page.evaluate(() =>
      ['g', 'f'].map((id) => Math.round(parseFloat(getComputedStyle(document.getElementById(id)!).width))),
    );
    expect(wide - plain).toBe(15);
    expect(said(mirrored.all('attribute'))).toEqual([
      ['a', 82],
      ['b', 169],
      ['f', plain],
      ['g', wide],
    ]);
    expect([...mirrored.tree.node(await mirrored.id('#range')).attributes.keys()].at(-1)).toBe('value');
    await mirrored.page.evaluate(() => {
      document.getElementById('box')!.style.width = '70px';
      document.querySelector<HTMLInputElement>('#b')!.type = 'text';
      document.querySelector<HTMLInputElement>('#g')!.style.width = '20px';
    });
    expect(said(await mirrored.wait()).sort()).toEqual([
      ['a', 62],
      ['b', null],
      ['g', null],
    ]);
  });

  it('[R-032] is followed by the selection that script makes in it, though that is where it was', async () => {
    const mirrored = await browser.open('<!doctype html><input value=10>');
    const id = await mirrored.id('input');
    await mirrored.change(() => document.querySelector('input')!.select());
    await mirrored.change(() => document.querySelector('input')!.focus());
    await mirrored.wait();
    const ops = await mirrored.change(() => {
      const input = document.querySelector('input')!;
      input.value = '11';
      input.select();
    });
    const all = [...ops, ...(await mirrored.wait())];
    expect(texts(only(all, 'value'), 2)).toEqual(['11']);
    expect(numbers(only(all, 'caret')).at(-1)).toEqual([id, 0, 2]);
  });

  it('is sent as the person has typed it, and as the page has changed it, without a poll in between', async () => {
    const mirrored = await browser.open('<!doctype html><input autofocus>');
    await mirrored.page.evaluate(() => {
      const sent = (): string[] => (globalThis as unknown as { sent: string[] }).sent;
      document.querySelector('input')!.oninput = ({ currentTarget }) => {
        const input = currentTarget as HTMLInputElement;
        const typed = sent().join('');
        input.value = input.value.toUpperCase();
        void scheduler.postTask(() => Object.assign(window, { seen: [typed, sent().join('').slice(typed.length)] }));
      };
    });
    await mirrored.page.focus('input'); // of itself it has it a frame later
    await mirrored.page.keyboard.type('x');
    const seen = (): unknown => mirrored.page.evaluate(() => (window as unknown as { seen: unknown }).seen);
    await expect.poll(seen).toEqual([expect.stringContaining('"x"'), expect.stringContaining('"X"')]);
  });

  it('is sent again when the page reverts the typed text', async () => {
    const mirrored = await browser.open(
      `<!doctype html><input oninput="this.value = this.value.toUpperCase()"><input id=empty oninput="this.value = ''">`,
    );
    await mirrored.page.locator('input').first().focus();
    await mirrored.page.keyboard.type('a');
    await mirrored.page.locator('#empty').focus();
    await mirrored.page.keyboard.type('b');
    const ops = await mirrored.wait();
    const last = new Map(only(ops, 'value').map(({ op, text }) => [op[1], text(op[2]!)]));
    expect([...last.values()]).toEqual(['A', '']);
  });
});

describe('visible state', () => {
  it('[R-032] includes scroll offsets in both directions, also of elements that are inserted again', async () => {
    const mirrored = await browser.open(`<!doctype html><body style="height: 5000px; width: 4000px">
      <div id=d style="height: 100px; width: 100px; overflow: auto"><div style="height: 1000px; width: 1000px"></div></div>`);
    await mirrored.page.evaluate(() => {
      scrollTo(30, 300.5);
      document.querySelector('#d')!.scrollTo(7, 20);
    });
    const ops = only(await mirrored.wait(), 'scroll');
    expect(numbers(ops)).toContainEqual([
      ...[1, 30 * 64],
      Math.round((await mirrored.page.evaluate(() => scrollY)) * 64),
    ]);
    const inner = [await mirrored.id('#d'), 7 * 64, 20 * 64];
    expect(numbers(ops)).toContainEqual(inner);
    await mirrored.send('mirror.page-resync', {});
    expect(numbers(only(await mirrored.wait(), 'scroll'))).toContainEqual(inner);
  });

  it('[R-032] includes focus inside shadow roots, the caret and the selection', async () => {
    const mirrored = await browser.open('<!doctype html><p>one<!-- c --><b>two</b></p><div id=h></div>');
    const ops = await mirrored.change(() => {
      const input = document.createElement('input');
      input.value = 'abc';
      document.querySelector('#h')!.attachShadow({ mode: 'open' }).append(input);
      document.querySelector('#h')!.setAttribute('x', '');
      input.focus();
      input.setSelectionRange(1, 2);
    });
    const all = [...ops, ...(await mirrored.wait())];
    const input = (await mirrored.id('#h')) + 2;
    expect(numbers(only(all, 'focus')).at(-1)).toEqual([input, 1]);
    expect(numbers(only(all, 'caret')).at(-1)).toEqual([input, 1, 2]);
    await mirrored.page.evaluate(() => {
      (document.querySelector('#h')!.shadowRoot!.firstElementChild as HTMLElement).blur();
      const p = document.querySelector('p')!;
      getSelection()!.setBaseAndExtent(p, 3, p.firstChild!, 1);
    });
    const selected = await mirrored.wait();
    const p = await mirrored.id('p');
    expect(numbers(only(selected, 'focus')).at(-1)).toEqual([0, 0]);
    expect(numbers(only(selected, 'selection')).at(-1)).toEqual([p, 2, p + 1, 1]);
  });

  it('does not report the caret of a text control that has lost the focus as a selection of the document', async () => {
    const mirrored = await browser.open('<!doctype html><input value=abc><i tabindex=0>x</i>');
    await mirrored.page.evaluate(() => document.querySelector('input')!.setSelectionRange(0, 0));
    await mirrored.page.click('input');
    await mirrored.page.evaluate(() => document.querySelector('i')!.focus());
    const ops = await mirrored.wait();
    expect(numbers(only(ops, 'focus')).at(-1)).toEqual([await mirrored.id('i'), 0]);
    const collapsed = numbers(mirrored.all('selection')).map(([, from, , to]) => to! - from!);
    expect(collapsed.every((length) => length === 0)).toBe(true);
  });

  it.each(['mousedown', 'pointerdown'])(
    'sends the focus and the selection again when a press could have moved them, by %s',
    async (type) => {
      const mirrored = await browser.open(
        `<!doctype html><div id=e contenteditable>text</div><button on${type}="event.preventDefault()">b</button>`,
      );
      await mirrored.page.evaluate(() => {
        document.querySelector<HTMLElement>('#e')!.focus();
        getSelection()!.setBaseAndExtent(
          document.querySelector('#e')!.firstChild!,
          1,
          document.querySelector('#e')!.firstChild!,
          3,
        );
      });
      await mirrored.wait();
      await mirrored.page.click('button');
      const pressed = await mirrored.wait();
      const e = await mirrored.id('#e');
      expect(numbers(only(pressed, 'focus'))).toEqual([[e, 1]]);
      expect(numbers(only(pressed, 'selection'))).toEqual([[e + 1, 1, e + 1, 3]]);
    },
  );

  it('includes the top layer in the order in which it was entered', async () => {
    const mirrored = await browser.open(
      '<!doctype html><dialog id=a>a</dialog><dialog id=b>b</dialog><div id=p popover=manual>p</div>',
    );
    const ops = await mirrored.change(() => {
      document.querySelector<HTMLDialogElement>('#b')!.showModal();
      document.querySelector<HTMLElement>('#p')!.showPopover();
      document.querySelector<HTMLDialogElement>('#a')!.showModal();
    });
    const [a, b, p] = [await mirrored.id('#a'), await mirrored.id('#b'), await mirrored.id('#p')];
    expect(numbers(only([...ops, ...(await mirrored.wait())], 'top'))).toEqual([
      [b, TOP_LAYER.modal],
      [p, TOP_LAYER.popover],
      [a, TOP_LAYER.modal],
    ]);
    await mirrored.page.evaluate(() => {
      document.querySelector<HTMLElement>('#p')!.hidePopover();
      document.querySelector<HTMLDialogElement>('#b')!.close();
      document.querySelector<HTMLDialogElement>('#b')!.showModal();
    });
    expect(numbers(only(await mirrored.wait(), 'top'))).toEqual([
      [b, TOP_LAYER.none],
      [p, TOP_LAYER.none],
      [b, TOP_LAYER.modal],
    ]);
  });

  it('includes late definitions, custom states and shadow roots', async () => {
    const mirrored = await browser.open(
      '<!doctype html><style>x-y:state(on) { color: red }</style><x-y>a</x-y><div id=late></div>',
    );
    expect(mirrored.tree.node(await mirrored.id('x-y')).flags).toBe(2);
    await mirrored.page.evaluate(() => {
      customElements.define(
        'x-y',
        class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>';
            this.attachInternals().states.add('on');
          }
        },
      );
      document.querySelector('#late')!.attachShadow({ mode: 'open' }).innerHTML = '<i>late</i>';
    });
    const ops = await mirrored.wait();
    const id = await mirrored.id('x-y');
    expect(numbers(only(ops, 'defined'))).toEqual([[id, 1]]);
    expect(only(ops, 'states').map(({ op, text }) => [op[1], text(op[2]!)])).toEqual([[id, 'on']]);
    expect(mirrored.tree.outline()).toEqual(await mirrored.real());
  });

  it('includes the elements that script has set for ARIA relations, again when the attribute is set again', async () => {
    const mirrored = await browser.open('<!doctype html><b>b</b><i>i</i><input aria-labelledby="x">');
    expect(mirrored.all('refer')).toEqual([]);
    const [b, i, input] = [await mirrored.id('b'), await mirrored.id('i'), await mirrored.id('input')];
    const given = await mirrored.change(() => {
      document.querySelector('input')!.ariaLabelledByElements = [
        document.querySelector('i')!,
        document.querySelector('b')!,
      ];
    });
    const labelledBy = RELATIONS.findIndex(([name]) => name === 'aria-labelledby');
    expect(numbers(only(given, 'refer'))).toEqual([[input, labelledBy, i, b]]);
    const named = await mirrored.change(() => document.querySelector('input')!.setAttribute('aria-labelledby', 'y'));
    expect(only(named, 'refer')).toEqual([]);
    const again = await mirrored.change(() => {
      document.querySelector('input')!.ariaLabelledByElements = [
        document.querySelector('i')!,
        document.querySelector('b')!,
      ];
    });
    expect(numbers(only(again, 'refer'))).toEqual([[input, labelledBy, i, b]]);
  });

  it('sends the role of number inputs, which the view shows as text, unless the page sets it', async () => {
    const mirrored = await browser.open('<!doctype html><input type="number" min="1" value="3"><input value="4">');
    const said = (ops: readonly SeenOp[]): unknown =>
      only(ops, 'attribute').map(({ op, text }) => [text(op[2]!), op[3] === NO_STRING ? null : text(op[3]!)]);
    expect(said(mirrored.all('attribute'))).toEqual([
      ['role', 'spinbutton'],
      ['aria-valuemin', '1'],
      ['aria-valuenow', '3'],
    ]);
    expect(said(await mirrored.change(() => document.querySelector('input')!.setAttribute('role', 'none')))).toEqual([
      ['role', 'none'],
    ]);
    expect(said(await mirrored.change(() => (document.querySelector('input')!.type = 'text')))).toEqual([
      ['type', 'text'],
      ['aria-valuemin', null],
      ['aria-valuenow', null],
    ]);
  });

  it('includes what script has assigned to slots', async () => {
    const mirrored = await browser.open('<!doctype html><div id=h><i>a</i><b>b</b></div>');
    await mirrored.change(() => {
      const host = document.querySelector('#h')!;
      const root = host.attachShadow({ mode: 'open', slotAssignment: 'manual' });
      const slot = root.appendChild(document.createElement('slot'));
      slot.assign(host.lastElementChild!, host.firstElementChild!);
      host.setAttribute('x', '');
    });
    await mirrored.wait(50);
    const [b, i] = [await mirrored.id('b'), await mirrored.id('i')];
    expect(mirrored.all('assign').map(({ op }) => op.slice(2))).toEqual([[b, i]]);
  });

  it('includes custom highlights, and the target of the fragment', async () => {
    const mirrored = await browser.open('<!doctype html><p>hello <!-- c --><b id=b>you</b></p>');
    await mirrored.page.evaluate(() => {
      const text = document.querySelector('p')!.firstChild!;
      const highlight = new Highlight(
        new StaticRange({ startContainer: text, startOffset: 1, endContainer: text, endOffset: 3 }),
      );
      highlight.priority = 7;
      CSS.highlights.set('mark', highlight);
      location.hash = 'b';
    });
    const ops = await mirrored.wait();
    const text = (await mirrored.id('p')) + 1;
    expect(only(ops, 'highlight').map(({ op, text: read }) => [read(op[1]!), ...op.slice(2)])).toEqual([
      ['mark', 7, 0, text, 1, text, 3],
    ]);
    expect(numbers(only(ops, 'target'))).toEqual([[await mirrored.id('b')]]);
    await mirrored.page.evaluate(() => CSS.highlights.clear());
    expect(only(await mirrored.wait(), 'highlight').map(({ op }) => op.length)).toEqual([4]);
  });

  it('includes that a custom element is an invalid form control', async () => {
    const mirrored = await browser.open(`<!doctype html><x-c></x-c><script>
      customElements.define('x-c', class extends HTMLElement {
        static formAssociated = true;
        constructor() { super(); this.attachInternals().setValidity({ customError: true }, 'no'); }
      });</script>`);
    await mirrored.wait();
    const id = await mirrored.id('x-c');
    const saidAsOp = numbers(mirrored.all('defined')).some(([, bits]) => bits === 3);
    expect(saidAsOp || mirrored.tree.node(id).flags === ELEMENT_FLAGS.control).toBe(true);
    expect(mirrored.all('validity').map(({ op, text }) => [op[1], text(op[2]!) !== ''])).toEqual([[id, true]]);
  });

  it('includes the base address before the addresses that it changes', async () => {
    const mirrored = await browser.open('<!doctype html><body>');
    const ops = await mirrored.change(() => {
      document.head.innerHTML = '<base href="/sub/">';
      document.body.innerHTML = '<img src=a.png>';
    });
    expect(ops.map(({ op }) => op[0]).slice(0, 2)).toEqual([OP.base, OP.insert]);
  });
});
