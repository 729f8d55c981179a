import { expect, it } from 'vitest';
import type { Person } from '../../base/person.ts';
import { relieveCells } from '../relief.ts';

const person = {} as Person; // only whether there is one counts

async function relieved(sizes: Readonly<Record<string, number>>, isUrgent: boolean): Promise<string[]> {
  const names: string[] = [];
  const cells = Object.entries(sizes).map(([name, bytes]) => ({
    person: name === 'warm' ? undefined : person,
    bytes: async () => bytes,
    relieve: () => void names.push(name),
  }));
  await relieveCells(cells, isUrgent);
  return names;
}

it('memory that one page takes is not saved at the pages of other people', async () => {
  expect(await relieved({ ann: 300, bob: 4000, cleo: 500, warm: 9000 }, false)).toEqual(['bob']);
});

it.each([
  ['urgently', { ann: 300, bob: 4000, warm: 100 }, true],
  ['where nobody knows who uses how much', { ann: 0, bob: 0 }, false],
])('memory is saved at the pages of all people %s', async (_when, sizes, isUrgent) => {
  expect(await relieved(sizes, isUrgent)).toEqual(['ann', 'bob']);
});
