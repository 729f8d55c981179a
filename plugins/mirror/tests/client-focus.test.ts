import { expect, it } from 'vitest';
import { NAMESPACE, OP } from '../ops.ts';
import { h } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();

it('sets the focus, visibly or not, with selection and caret', async () => {
  const page = await view().show(
    h('input', { id: 'text', value: 'hello' }),
    h('button', { id: 'button' }),
    h('p', { id: 'p' }, ['some text']),
  );
  const text = page.id('p') + 1;
  page.op(OP.focus, page.id('text'), 1).op(OP.caret, page.id('text'), 1, 3);
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => {
      const input = document.querySelector('input') as HTMLInputElement;
      return [document.activeElement?.id, input.matches(':focus-visible'), input.selectionStart, input.selectionEnd];
    }),
  ).toEqual(['text', true, 1, 3]);
  page.op(OP.focus, 0, 0).op(OP.selection, text, 5, text, 9);
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => [document.activeElement?.id, getSelection()?.toString()])).toEqual(['body', 'text']);
});

it('shows the ring of the focus, which the page shows, on an element that the person has pressed', async () => {
  const page = await view().show(h('div', { id: 'handle', tabindex: '0' }, ['handle']));
  const main = await view().main();
  const handle = main.locator('#handle');
  const state = (): Promise<unknown> =>
    handle.evaluate((it) => [it.ownerDocument.activeElement === it, it.matches(':focus-visible')]);
  await handle.click();
  expect(await state()).toEqual([true, false]);
  page.op(OP.focus, page.id('handle'), 1);
  await view().feed(1, page.batch());
  expect(await state()).toEqual([true, true]);
});

it('leaves the caret of a text control alone when the document has a selection too', async () => {
  const page = await view().show(h('input', { id: 'text', value: 'hello' }));
  page.op(OP.focus, page.id('text'), 1).op(OP.caret, page.id('text'), 2, 2);
  page.op(OP.selection, page.id('body'), 0, page.id('body'), 1);
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => {
      const { selectionStart, selectionEnd } = document.querySelector('input') as HTMLInputElement;
      return [selectionStart, selectionEnd];
    }),
  ).toEqual([2, 2]);
});

it('keeps a field selected that the person has just selected, until the surrogate has seen it or a key changes it', async () => {
  const page = await view().show(h('input', { id: 'text', value: 'hello' }));
  const caret = async (start: number, end: number): Promise<void> => {
    page.op(OP.caret, page.id('text'), start, end);
    await view().feed(1, page.batch());
  };
  await view().stopClock(); // the surrogate's values wait for as long as the test does
  page.op(OP.focus, page.id('text'), 1);
  await caret(2, 2);
  const main = await view().main();
  const selected = (): Promise<unknown> =>
    main.locator('input').evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd]);
  await view().page.keyboard.press('Control+a');
  await view().frames();
  await caret(3, 3); // the surrogate's state before it has seen the selection
  await view().page.keyboard.press('Control+c');
  expect(await selected()).toEqual([0, 5]);
  await caret(0, 5);
  await caret(1, 1); // its state afterwards
  expect(await selected()).toEqual([1, 1]);
  await view().page.keyboard.press('Control+a');
  await view().frames();
  await caret(3, 3);
  expect(await selected()).toEqual([0, 5]);
  await view().page.keyboard.press('Shift');
  expect(await selected()).toEqual([3, 3]);
});

it('undoes the focus and selection of a press once the surrogate rejects them, even during the press', async () => {
  const page = await view().show(
    h('button', { id: 'button' }, ['b']),
    h('p', { id: 'p', tabindex: '0' }, ['words to select']),
  );
  await view().stopClock(); // the surrogate's values wait for as long as the test does
  page.op(OP.focus, page.id('p'), 0);
  await view().feed(1, page.batch());
  const main = await view().main();
  const state = (): Promise<unknown> =>
    main.evaluate(() => [document.activeElement?.id, String(document.getSelection())]);
  // Over CDP: Playwright's own mouse waits for scripts of the frame while a button is down.
  const session = await view().page.context().newCDPSession(view().page);
  const mouse = async (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number): Promise<void> => {
    await session.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
    await view().frames();
  };
  const [left, top] = await view().page.evaluate((): readonly [number, number] => {
    const frame = document.querySelector('iframe[data-vitrine-frame]')!.getBoundingClientRect();
    return [frame.left, frame.top];
  });
  const at = async (id: string): Promise<readonly [number, number]> => {
    const box = await main.locator(`#${id}`).evaluate((each) => each.getBoundingClientRect().toJSON() as DOMRect);
    return [left + box.left + 2, top + box.top + box.height / 2];
  };

  const button = await at('button');
  await mouse('mousePressed', ...button);
  await mouse('mouseReleased', ...button);
  expect(await state()).toEqual(['button', '']);
  page.op(OP.focus, page.id('p'), 0);
  await view().feed(1, page.batch());
  expect(await state()).toEqual(['p', '']);

  const [x, y] = await at('p');
  await mouse('mousePressed', x, y);
  await mouse('mouseMoved', x + 40, y);
  expect(await state()).toEqual(['p', expect.stringContaining('w')]);
  page.op(OP.selection, 0, 0, 0, 0);
  await view().feed(1, page.batch());
  expect(await state()).toEqual(['p', '']);
  await mouse('mouseMoved', x + 60, y);
  await eventually(state).toEqual(['p', '']);
  await mouse('mouseReleased', x + 60, y);
  // A selection after the press is independent of it.
  await view().page.keyboard.press('Control+a');
  await eventually(state).toEqual(['p', expect.stringContaining('words')]);
});

it('has the focus from the start, so that keys go to the page, and focuses elements of any namespace', async () => {
  const page = await view().show(
    h(
      'svg',
      {},
      [
        h('a', { id: 'a', href: '#', tabindex: '0' }, [], { namespace: NAMESPACE.svg }),
        h('path', { id: 'path', d: 'M0 0h9v9z' }, [], { namespace: NAMESPACE.svg }), // the page listens to its focus
      ],
      { namespace: NAMESPACE.svg },
    ),
  );
  const main = await view().main();
  expect(await main.evaluate(() => document.hasFocus())).toBe(true);
  page.op(OP.focus, page.id('a'), 1);
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => document.activeElement?.id)).toBe('a');
  page.op(OP.focus, page.id('path'), 1);
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => document.activeElement?.matches('#path:focus-visible'))).toBe(true);
  page.op(OP.focus, 0, 0);
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => document.activeElement?.id)).toBe('body');
});

it('does not take the focus from controls outside the page', async () => {
  const page = await view().show(h('input', { id: 'text' }));
  await view().page.evaluate(() => {
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
  });
  page.op(OP.focus, page.id('text'), 0);
  await view().feed(1, page.batch());
  expect(await view().page.evaluate(() => document.activeElement?.localName)).toBe('input');
  await view().page.evaluate(() => document.querySelector<HTMLElement>('#vitrine-view iframe')?.focus());
  await eventually(async () => (await view().main()).evaluate(() => document.activeElement?.id)).toBe('text');
});

it('moves no selection within a composition, though the page has sent it before that began', async () => {
  const page = await view().show(h('div', { id: 'rich', contenteditable: '' }, ['words']));
  await view().stopClock();
  const main = await view().main();
  const caret = (): Promise<number | undefined> => main.evaluate(() => document.getSelection()?.anchorOffset);
  await main.locator('#rich').click();
  await view().page.keyboard.press('End');
  await eventually(caret).toBe(5);
  await view().frames(); // the view has heard of it
  const text = page.id('rich') + 1;
  page.op(OP.selection, text, 0, text, 0);
  await view().feed(1, page.batch());
  expect(await caret(), 'the person’s own comes first, for a second').toBe(5);
  const isHeld = await view().page.evaluate(async () => {
    const editable = (await window.harness.renderer.editing()).entered();
    editable?.hold();
    return editable?.isHeld;
  });
  expect(isHeld).toBe(true);
  await view().pass(1000);
  await view().frames();
  expect(await caret()).toBe(5);
});
