import { expect, it } from 'vitest';
import { OpcodeTable } from '../../../../core/plugins/opcodes.ts';
import { CORE_MESSAGES, edited, focused } from '../../../../core/protocol/core-messages.ts';
import type { EditMeans } from '../../../../core/protocol/edit-means.ts';
import { growth } from '../../../../core/testing/growth.ts';
import { endpointPair, Wire } from '../../../../core/testing/wire.ts';
import type { PageBus } from '../../../contracts/host-scope.ts';
import type { FrameTree } from '../../page/frames.ts';
import { PageInput } from '../page-input.ts';
import { PersonEdits } from '../person-edits.ts';

const at = { frame: 1, epoch: 3, node: 9, x: 0, y: 0 };

it('[C1] takes edits of the control that the person has pressed last, and of no other', () => {
  const edits = new PersonEdits();
  expect(edits.takes(at, 'select', '1')).toBe(false);
  edits.pressed({ ...at, x: 5 });
  expect(edits.takes(at, 'select', '1')).toBe(true);
  for (const other of [{ frame: 2 }, { epoch: 4 }, { node: 8 }])
    expect(edits.takes({ ...at, ...other }, 'select', '1')).toBe(false);
  edits.pressed({ frame: 1, epoch: 3, x: 0, y: 0 });
  expect(edits.takes(at, 'select', '1')).toBe(false);
  expect(edits.takes({ frame: 1, epoch: 3, x: 0, y: 0 }, 'select', '1')).toBe(false);
  edits.pressed(at);
  edits.reset();
  expect(edits.takes(at, 'select', '1')).toBe(false);
});

it('[C1] takes values that can come from the means that they name, and no text in their stead', () => {
  const edits = new PersonEdits();
  edits.pressed(at);
  const taken: Readonly<Record<EditMeans, readonly string[]>> = {
    picker: ['', '2024-02-29', '2024-02-29T12:30:05.125', '2024-W09', '12:30'],
    slider: ['0', '-1.5', '.5', '1e-7'],
    select: ['', '0', '3,14,15'],
    suggestion: ['', 'Oslo, a town'],
  };
  const refused: Readonly<Record<EditMeans, readonly string[]>> = {
    picker: ['S3cret', '1'.repeat(41)],
    slider: ['S3cret', '1,5', '1'.repeat(41)],
    select: ['S3cret', '1,', ',1', '1,,2', '-1'],
    suggestion: ['x'.repeat(10_001)],
  };
  for (const by of Object.keys(taken) as EditMeans[]) {
    expect(taken[by].filter((value) => !edits.takes(at, by, value))).toEqual([]);
    expect(refused[by].filter((value) => edits.takes(at, by, value))).toEqual([]);
  }
});

it('[C1] checks values in linear time', () => {
  const edits = new PersonEdits();
  edits.pressed(at);
  const input = (units: number): string => `${'1,'.repeat(units / 2)}x`;
  const run = (value: string): void => {
    for (let n = 0; n < 20; n++) edits.takes(at, 'select', value);
  };
  expect(growth({ input, run }, 8)).toBeLessThan(8);
});

it('[C1] tells the page of an edit only after a press of any device in that control, or its focus by the person', async () => {
  const told: unknown[] = [];
  const wire = new Wire();
  const [client, host] = endpointPair(wire, new OpcodeTable(CORE_MESSAGES), (fault) => {
    throw fault;
  });
  const input = new PageInput({
    frames: { onGone: () => () => undefined, sessionOf: () => undefined } as unknown as FrameTree, // all that input asks of it here
    kernel: {
      call: async (frame: number, { name }: { name: string }, params: { value?: string }) =>
        void told.push([name, frame, params.value]),
    } as unknown as PageBus,
    impatient: {} as unknown as PageBus, // nothing is pressed here
    isShown: () => true,
    waitOf: () => undefined,
    expect: () => undefined,
  });
  input.handle(host);
  const device = input.of({
    plugin: 'dial',
    permissions: [],
    signal: new AbortController().signal,
    onFault: (fault) => {
      throw fault;
    },
  });
  const edit = async (target: typeof at, value: string): Promise<void> => {
    client.send(edited, { target, by: 'slider', value });
    await wire.flush();
  };
  await edit(at, '1');
  await device.enqueue(() => undefined, { isPress: true, at: { ...at, node: 8 } });
  await edit(at, '2');
  await device.enqueue(() => undefined, { isPress: true });
  await edit({ ...at, node: 8 }, '3');
  client.send(focused, { target: at });
  await edit({ ...at, node: 8 }, '4');
  await edit(at, 'S3cret');
  await edit(at, '5');
  input.reset();
  await edit(at, '6');
  expect(told).toEqual([
    ['page.set-value', 1, '3'],
    ['page.focus', 1, undefined],
    ['page.set-value', 1, '5'],
  ]);
});
