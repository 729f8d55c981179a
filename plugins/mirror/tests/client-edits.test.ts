import { beforeEach, expect, it } from 'vitest';
import type { Edit } from '../../../core/index.ts';
import { DOCUMENT_ID, OP } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import type { Node } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView([], 'whole');
let page: PageWriter;
beforeEach(() => {
  page = new PageWriter(1);
});

async function open(...body: Node[]): Promise<void> {
  page.doc().insert(DOCUMENT_ID, 0, html(body, [h('style', { id: 'style' })]));
  page.sheet('style', 'body{margin:0} input,select,textarea{display:block;width:200px}');
  await view().feed(1, page.batch());
}

const edits = (): Promise<readonly Edit[]> => view().page.evaluate(() => window.harness.edits);
const valueOf = async (id: string): Promise<string> =>
  (await view().main()).evaluate((name) => (document.getElementById(name) as HTMLInputElement).value, id);
/** The value of a control when the events of the last edit are over, and what the view has told of it by then. */
const after = async (id: string): Promise<unknown> => {
  await view().frames();
  return [await valueOf(id), await edits()];
};

it('[C1] takes no edit of a text field, and shows the surrogate’s value again', async () => {
  await open(
    h('input', { id: 'plain', value: 'attribute' }),
    h('input', { id: 'said' }),
    h('textarea', { id: 'area' }, ['default']),
    h('input', { id: 'secret', 'v-type': 'password', type: 'text' }),
  );
  page.op(OP.value, page.id('said'), page.text('surrogate'));
  await view().feed(1, page.batch());
  const main = await view().main();
  for (const [id, value] of [
    ['plain', 'attribute'],
    ['said', 'surrogate'],
    ['area', 'default'],
    ['secret', ''],
  ] as const) {
    await main.click(`#${id}`);
    // Nothing in this view takes the keys: they edit the field as a browser that fills it in does, with trusted events.
    await view().page.keyboard.type('x');
    await eventually(() => after(id)).toEqual([value, []]);
  }
});

it('[C1] keeps nothing of what an extension writes, though it sends the events of an edit', async () => {
  await open(h('input', { id: 'field', value: 'page' }));
  const main = await view().main();
  await main.click('#field');
  await main.fill('#field', 'from an extension');
  await eventually(() => after('field')).toEqual(['page', []]);
});

it('[C1] takes an edit of a slider after a press in it, and none after a press elsewhere', async () => {
  await open(
    h('input', { id: 'range', type: 'range', min: '0', max: '100', value: '10' }),
    h('input', { id: 'other', type: 'range', min: '0', max: '100', value: '10' }),
  );
  const main = await view().main();
  await main.focus('#range');
  await view().page.keyboard.press('ArrowRight');
  await eventually(() => after('range')).toEqual(['10', []]);
  await main.click('#other', { position: { x: 150, y: 5 } });
  await eventually(async () => (await edits())[0]).toMatchObject({ by: 'slider', target: { node: page.id('other') } });
  const { length } = await edits();
  await main.focus('#range');
  await view().page.keyboard.press('ArrowRight');
  await eventually(async () => [await valueOf('range'), (await edits()).length]).toEqual(['10', length]);
});

it('[C1] takes a choice from a list after a press in it, told with the option that was pressed; shows the surrogate’s after any other', async () => {
  await open(
    h('select', { id: 'list', size: '3' }, [
      h('option', { id: 'one', selected: '' }, ['a']),
      h('option', { id: 'two' }, ['b']),
    ]),
    h('select', { id: 'single' }, [h('option', { id: 'first' }, ['a']), h('option', {}, ['b'])]),
    h('p', { id: 'p' }, ['elsewhere']),
  );
  const main = await view().main();
  const selected = (id: string): Promise<number> =>
    main.evaluate((name) => (document.getElementById(name) as HTMLSelectElement).selectedIndex, id);
  await main.click('#two');
  await eventually(edits).toContainEqual(
    expect.objectContaining({ by: 'select', value: '1', target: expect.objectContaining({ node: page.id('two') }) }),
  );
  page.op(OP.selected, page.id('list'), 1);
  await view().feed(1, page.batch());
  const { length } = await edits();
  await main.click('#p');
  for (const [id, index] of [
    ['list', 1],
    ['single', 0],
  ] as const) {
    await main.focus(`#${id}`);
    await view().page.keyboard.press(index === 1 ? 'ArrowUp' : 'ArrowDown');
    await view().frames();
    await eventually(() => selected(id)).toBe(index);
  }
  page.op(OP.selected, page.id('single'));
  await view().feed(1, page.batch());
  await view().page.keyboard.press('ArrowDown');
  await view().frames();
  await eventually(() => selected('single')).toBe(-1);
  expect(await edits()).toHaveLength(length);
});

it('[C1] takes a suggestion of the page’s own list, and no other text', async () => {
  await open(
    h('input', { id: 'city', list: 'cities' }),
    h('datalist', { id: 'cities' }, [h('option', { value: 'O' }), h('option', { value: 'Lima' })]),
  );
  const main = await view().main();
  await main.click('#city');
  await view().page.keyboard.type('x');
  await eventually(() => after('city')).toEqual(['', []]);
  await view().page.keyboard.type('O');
  await eventually(edits).toContainEqual(expect.objectContaining({ by: 'suggestion', value: 'O' }));
});

it('[C1] builds no field of passwords, and offers nothing to forms and controls, whatever the host says', async () => {
  await open(
    h('form', { id: 'form', autocomplete: 'on' }, [
      h('input', { id: 'a', type: 'password', autocomplete: 'current-password' }),
      h('input', { id: 'b' }),
      h('select', { id: 'c', autocomplete: 'cc-exp' }),
      h('textarea', { id: 'd' }),
    ]),
  );
  page.attribute('b', 'type', 'PASSWORD').attribute('b', 'autocomplete', 'email');
  page.attribute('d', 'autocomplete', undefined);
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() =>
      ['form', 'a', 'b', 'c', 'd'].map((id) => {
        const element = document.getElementById(id) as HTMLInputElement;
        return `${element.type} ${element.getAttribute('autocomplete')}`;
      }),
    ),
  ).toEqual(['undefined off', 'text off', 'text off', 'select-one off', 'textarea off']);
});

it('[C1] holds no characters of a password once an input method is done with them', async () => {
  await open(h('input', { id: 'secret', type: 'text', 'v-type': 'password' }), h('input', { id: 'plain' }));
  page.op(OP.value, page.id('secret'), page.text('••'));
  await view().feed(1, page.batch());
  const main = await view().main();
  const session = await view().page.context().newCDPSession(view().page);
  const compose = async (): Promise<void> => {
    await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '日本' });
  };
  await main.click('#secret');
  await compose();
  await eventually(() => after('secret')).toEqual(['••', []]);
  await main.click('#plain');
  await compose();
  await eventually(() => after('plain')).toEqual(['日本', []]);
});

it('[C1] takes no choice that the browser has filled in, though the person has pressed in that list', async () => {
  const inputs = ['firstname', 'lastname', 'address', 'city', 'zip'].map((name) => h('input', { name }));
  const countries = ['', 'DE', 'US'].map((value) => h('option', { value }, [value]));
  await open(h('form', {}, [...inputs, h('select', { id: 'country', name: 'country' }, countries)]));
  const main = await view().main();
  const { page: shell } = view();
  // Before the client hears of it.
  const filled = await shell.evaluateHandle(() => {
    const values: string[] = [];
    const frame = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    const note = ({ target }: Event): unknown => values.push((target as HTMLInputElement).value);
    frame?.contentWindow?.addEventListener('input', note, true);
    return values;
  });
  const session = await shell.context().newCDPSession(shell);
  await session.send('DOM.enable');
  await session.send('Autofill.enable');
  const [frame] = (await session.send('Page.getFrameTree')).frameTree.childFrames ?? [];
  const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1, pierce: true });
  const fieldId = nodes.find(({ attributes = [] }) => attributes.join(' ').includes('name firstname'))?.backendNodeId;
  await main.click('#country');
  await shell.keyboard.press('Escape');
  expect(await after('country')).toEqual(['', []]);
  const fields = Object.entries({
    NAME_FIRST: 'Anna',
    NAME_LAST: 'Berg',
    ADDRESS_HOME_STREET_ADDRESS: 'Main Street 5',
    ADDRESS_HOME_CITY: 'Berlin',
    ADDRESS_HOME_ZIP: '10115',
    ADDRESS_HOME_COUNTRY: 'DE',
  }).map(([name, value]) => ({ name, value }));
  const filling = { fieldId, frameId: frame?.frame.id, address: { fields } };
  await session.send('Autofill.trigger', filling as never); // newer than the types
  await eventually(() => filled.jsonValue()).toContain('DE');
  await eventually(() => after('country')).toEqual(['', []]);
});
