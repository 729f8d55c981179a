import { expect, it } from 'vitest';
import { GESTURE_MS } from '../client/gestures.ts';
import { DOCUMENT_ID, OP, SCROLL_SCALE, TOP_LAYER } from '../ops.ts';
import { RELATIONS } from '../relations.ts';
import { h } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();

it('[M-001] shows the state of form controls that is not in attributes', async () => {
  const page = await view().show(
    h('input', { id: 'text', value: 'was' }),
    h('textarea', { id: 'area' }, ['was']),
    h('input', { id: 'box', type: 'checkbox' }),
    h('select', { id: 'one' }, [h('option'), h('option'), h('option')]),
    h('select', { id: 'many', multiple: '' }, [h('option'), h('option'), h('option')]),
  );
  page
    .op(OP.value, page.id('text'), page.text('is'))
    .op(OP.value, page.id('area'), page.text('is\ntoo'))
    .op(OP.checked, page.id('box'), 3)
    .op(OP.selected, page.id('one'), 2)
    .op(OP.selected, page.id('many'), 0, 2)
    .op(OP.validity, page.id('text'), page.text('wrong'));
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => {
      const [text, box] = [...document.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
      const selected = [...document.querySelectorAll('select')].map((list) =>
        [...list.selectedOptions].map((option) => option.index),
      );
      return [
        text.value,
        text.matches(':invalid'),
        document.querySelector('textarea')?.value,
        box.checked,
        box.indeterminate,
        selected,
      ];
    }),
  ).toEqual(['is', true, 'is\ntoo', true, true, [[2], [0, 2]]]);
});

it('[M-001] begins a list of several options at the first selected one, in whatever order they came', async () => {
  const page = await view().show(
    h('select', { id: 'many', multiple: '', size: '4' }, [
      h('optgroup', { id: 'old' }),
      h('optgroup', {}, [h('option', { selected: '' }, ['Go'])]),
    ]),
  );
  page.insert(page.id('old'), 0, h('option', { selected: '' }, ['C']));
  page.op(OP.selected, page.id('many'), 0, 1);
  await view().feed(1, page.batch());
  const main = await view().main();
  const session = await main.page().context().newCDPSession(main.page());
  await session.send('DOM.enable');
  const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1, pierce: true });
  const { backendNodeId } = nodes.find(({ localName }) => localName === 'select') as { backendNodeId: number };
  const { nodes: found } = await session.send('Accessibility.queryAXTree', { backendNodeId });
  const active = found
    .find(({ backendDOMNodeId }) => backendDOMNodeId === backendNodeId)
    ?.properties?.find(({ name }) => name === 'activedescendant')?.value.relatedNodes?.[0]?.backendDOMNodeId;
  const option = nodes.find((node) => node.backendNodeId === active);
  expect(nodes.find(({ parentId }) => parentId === option?.nodeId)?.nodeValue).toBe('C');
});

it('[M-001] leaves a list alone where the surrogate only says again what is selected', async () => {
  const page = await view().show(
    h('select', { id: 'many', multiple: '', size: '4' }, [h('option'), h('option'), h('option')]),
  );
  page.op(OP.selected, page.id('many'), 0, 1);
  await view().feed(1, page.batch());
  const main = await view().main();
  const writes = (): Promise<number> =>
    main.evaluate(() => (document.querySelector('select') as HTMLSelectElement & { writes: number }).writes);
  await main.evaluate(() => {
    const list = Object.assign(document.querySelector('select') as HTMLSelectElement, { writes: 0 });
    const own = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'selectedIndex') as PropertyDescriptor;
    Object.defineProperty(list, 'selectedIndex', {
      get: () => own.get?.call(list) as unknown,
      set: (value) => {
        list.writes += 1;
        own.set?.call(list, value);
      },
    });
  });
  page.op(OP.selected, page.id('many'), 0, 1);
  await view().feed(1, page.batch());
  expect(await writes()).toBe(0);
  page.op(OP.selected, page.id('many'), 1, 2);
  await view().feed(1, page.batch());
  expect(await writes()).toBe(1);
});

it('sets the elements that script has set for ARIA relations, if they exist', async () => {
  const page = await view().show(
    h('input', { id: 'field', 'aria-labelledby': '' }),
    h('b', { id: 'one' }),
    h('b', { id: 'two' }),
  );
  const relation = (name: string): number => RELATIONS.findIndex(([attribute]) => attribute === name);
  const given = async (): Promise<unknown> =>
    (await view().main()).evaluate(() => {
      const field = document.querySelector('input') as HTMLInputElement; // it exists
      return [field.ariaLabelledByElements?.map(({ id }) => id), field.ariaActiveDescendantElement?.id];
    });
  page
    .op(OP.refer, page.id('field'), relation('aria-labelledby'), page.id('two'), 9999, page.id('one'))
    .op(OP.refer, page.id('field'), relation('aria-activedescendant'), page.id('one'))
    .op(OP.refer, page.id('field'), 99, page.id('one'))
    .op(OP.refer, 9999, 0, page.id('one'));
  await view().feed(1, page.batch());
  expect(await given()).toEqual([['two', 'one'], 'one']);
  page.op(OP.refer, page.id('field'), relation('aria-labelledby'));
  await view().feed(1, page.batch());
  expect(await given()).toEqual([[], 'one']);
});

it('[M-001] changes a part of the value of a control, and nothing when the lengths differ', async () => {
  const page = await view().show(h('textarea', { id: 'area' }), h('input', { id: 'other', value: 'is it' }));
  page.op(OP.value, page.id('area'), page.text('one two three'));
  page.op(OP.splice, page.id('area'), 4, 3, 13, page.text('2 or'));
  page.op(OP.splice, page.id('area'), 0, 3, 13, page.text('lost'));
  page.op(OP.splice, page.id('other'), 0, 0, 5, page.text('lost'));
  page.op(OP.splice, page.id('area'), 0, 3, 14, page.text('1'));
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.locator('textarea, input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
  ).toEqual(['1 2 or three', 'is it']);
});

it('[M-001] opens and closes dialogs and popovers in the top layer, in order', async () => {
  const page = await view().show(
    h('dialog', { id: 'dialog', open: '' }, ['modal']),
    h('div', { id: 'popover', popover: '' }, ['popover']),
    h('div', { id: 'full' }, ['full']),
  );
  page
    .op(OP.top, page.id('dialog'), TOP_LAYER.modal)
    .op(OP.top, page.id('popover'), TOP_LAYER.popover)
    .op(OP.top, page.id('full'), TOP_LAYER.fullscreen);
  await view().feed(1, page.batch());
  const main = await view().main();
  const state = (): Promise<unknown[]> =>
    main.evaluate(() => [
      document.querySelector('dialog')?.matches(':modal'),
      document.getElementById('popover')?.matches(':popover-open'),
      document.getElementById('full')?.getBoundingClientRect().height === innerHeight,
      document.querySelector('dialog')?.open,
    ]);
  expect(await state()).toEqual([true, true, true, true]);
  page.attribute('dialog', 'open', undefined).op(OP.top, page.id('popover'), 0).op(OP.top, page.id('full'), 0);
  await view().feed(1, page.batch());
  expect(await state()).toEqual([false, false, false, false]);
});

it('[M-001] puts what enters the top layer once more over all else, and takes a modal dialog out that stays open', async () => {
  const style = 'position:fixed;inset:0;margin:0;width:100%;height:100%';
  const page = await view().show(
    h('div', { id: 'one', popover: 'manual', style }),
    h('div', { id: 'two', popover: 'manual', style }),
    h('dialog', { id: 'dialog', open: '' }),
  );
  const main = await view().main();
  const top = (): Promise<string | undefined> => main.evaluate(() => document.elementFromPoint(5, 5)?.id);
  for (const id of ['one', 'two', 'one']) {
    page.op(OP.top, page.id(id), TOP_LAYER.popover);
    await view().feed(1, page.batch());
    expect(await top()).toBe(id);
  }
  for (const [kind, isModal] of [
    [TOP_LAYER.modal, true],
    [0, false],
  ] as const) {
    page.op(OP.top, page.id('dialog'), kind);
    await view().feed(1, page.batch());
    expect(await main.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(isModal);
  }
});

it('attributes late scrolling to the person after a wheel event, but not after a key', async () => {
  await view().show();
  const main = await view().main();
  const scrolledAfter = async (gesture: string, top: number): Promise<number | undefined> => {
    // Events that say their times keep to no wait; the real one of the scrolling comes too late for either.
    await main.evaluate(
      ([type, at, lateMs]) => {
        const long = performance.now() - 60_000;
        scrollTo(0, at);
        for (const [index, name] of [type, 'scroll'].entries())
          document.dispatchEvent(Object.defineProperty(new Event(name), 'timeStamp', { value: long + index * lateMs }));
      },
      [gesture, top, GESTURE_MS + 50] as const,
    );
    await view().frames();
    return view().page.evaluate(() => window.harness.scrolls.at(-1)?.top);
  };
  expect(await scrolledAfter('keydown', 100)).toBeUndefined();
  expect(await scrolledAfter('wheel', 200)).toBe(200);
});

it('scrolls like the surrogate, silently, and reports scrolling by the person', async () => {
  const page = await view().show(h('div', { id: 'box', class: 'box' }, [h('div', { class: 'tall' })]));
  page.op(OP.scroll, DOCUMENT_ID, 0, 40 * SCROLL_SCALE).op(OP.scroll, page.id('box'), 0, 25 * SCROLL_SCALE);
  await view().feed(1, page.batch());
  const main = await view().main();
  const offsets = (): Promise<unknown[]> => main.evaluate(() => [scrollY, document.getElementById('box')?.scrollTop]);
  expect(await offsets()).toEqual([40, 25]);
  await view().frames();
  expect(await view().page.evaluate(() => window.harness.scrolls)).toEqual([]);

  await view().stopClock();
  await view().page.mouse.move(400, 400);
  await view().page.mouse.wheel(0, 200);
  await eventually(() => view().page.evaluate(() => window.harness.scrolls.at(-1))).toMatchObject({
    target: { frame: 1, epoch: 1, node: DOCUMENT_ID },
    top: 240,
  });
  // The surrogate has not seen it yet: its values are stale until one agrees.
  page.op(OP.scroll, DOCUMENT_ID, 0, 45 * SCROLL_SCALE);
  await view().feed(1, page.batch());
  expect(await offsets()).toEqual([240, 25]);
  page.op(OP.scroll, DOCUMENT_ID, 0, 240 * SCROLL_SCALE).op(OP.scroll, DOCUMENT_ID, 0, 10 * SCROLL_SCALE);
  await view().feed(1, page.batch());
  expect(await offsets()).toEqual([10, 25]);
});

it('lets the surrogate win in the end when it never agrees', async () => {
  const page = await view().show();
  await view().stopClock();
  await view().page.mouse.move(400, 400);
  await view().page.mouse.wheel(0, 100);
  await eventually(() => view().page.evaluate(() => window.harness.scrolls.at(-1)?.top)).toBe(100);
  page.op(OP.scroll, DOCUMENT_ID, 0, 30 * SCROLL_SCALE);
  await view().feed(1, page.batch());
  const main = await view().main();
  await view().pass(999);
  expect(await main.evaluate(() => scrollY)).toBe(100);
  await view().pass(1);
  await eventually(() => main.evaluate(() => scrollY)).toBe(30);
});

it('reaches a scroll offset once the content is high enough', async () => {
  const page = await view().show(h('div', { id: 'box', class: 'box' }));
  page.op(OP.scroll, page.id('box'), 0, 200 * SCROLL_SCALE);
  await view().feed(1, page.batch());
  page.insert(page.id('box'), 0, h('div', { class: 'tall' }));
  await view().feed(1, page.batch());
  expect(await (await view().main()).evaluate(() => document.getElementById('box')?.scrollTop)).toBe(200);
});

it('[S-169] stays at the last scroll offset where an earlier one comes into reach', async () => {
  const page = await view().show(h('div', { id: 'box', class: 'box' }));
  for (const top of [200, 0]) {
    page.op(OP.scroll, page.id('box'), 0, top * SCROLL_SCALE);
    await view().feed(1, page.batch());
  }
  page.insert(page.id('box'), 0, h('div', { class: 'tall' }));
  await view().feed(1, page.batch());
  expect(await (await view().main()).evaluate(() => document.getElementById('box')?.scrollTop)).toBe(0);
});

it('reports changes of sliders and lists by the person, and keeps them against older values', async () => {
  const page = await view().show(
    h('input', { id: 'range', type: 'range', min: '0', max: '100', value: '10', style: 'display:block;width:200px' }),
    h('select', { id: 'list', size: '3' }, [h('option', {}, ['a']), h('option', {}, ['b']), h('option', {}, ['c'])]),
  );
  const main = await view().main();
  await view().stopClock();
  await main.click('#range', { position: { x: 150, y: 5 } });
  await main.selectOption('#list', { index: 2 });
  const edits = await view().page.evaluate(() => window.harness.edits);
  const range = edits.find(({ target }) => target.node === page.id('range'));
  expect(Number(range?.value)).toBeGreaterThan(60);
  page.op(OP.value, page.id('range'), page.text('10'));
  await view().feed(1, page.batch());
  const value = (): Promise<string> =>
    main.evaluate(() => (document.getElementById('range') as HTMLInputElement).value);
  expect(await value()).toBe(range?.value);
  await view().pass(1000);
  await eventually(value).toBe('10');
});
