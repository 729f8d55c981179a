import { expect, it } from 'vitest';
import { TestFrames } from '../../../core/testing/surrogate.ts';
import { AppError } from '../../../host/plugin.ts';
import type { StagingArea } from '../../../host/plugin.ts';
import { filesOf } from '../client/dropped.ts';
import { DraggedFiles } from '../host/dropped.ts';
import { pageTakes } from '../protocol.ts';

const AT = { frame: 3, x: 1, y: 2 };

function start({ fails = false, takes = true, failsAt = '' } = {}) {
  const heard: string[] = [];
  const stage = async (): Promise<StagingArea> => {
    if (fails) throw new AppError('no-exchange', 'no');
    return {
      add: async ({ path, bytes }) => {
        if (failsAt === 'add') throw new AppError('disk-full', 'full');
        let size = 0;
        for await (const chunk of bytes) size += chunk.length;
        heard.push(`add ${path.join('/')} of ${size}`);
      },
      give: () => Promise.reject(new Error('not part of this test')),
      drag: (tab, isTaken) => {
        if (failsAt === 'drag') throw new AppError('tab-gone', 'gone');
        return {
          over: ({ frame }) => {
            heard.push(`over ${tab}`);
            return isTaken(frame);
          },
          drop: ({ frame }) => {
            heard.push(`drop ${tab}`);
            return isTaken(frame);
          },
          leave: async () => void heard.push('leave'),
        };
      },
      remove: async () => void heard.push('remove'),
    };
  };
  const page = {
    call: async (frame: number, message: unknown) => {
      expect([frame, message]).toEqual([3, pageTakes]);
      return { isTaken: takes };
    },
  };
  const frames = new TestFrames('https://site.test/');
  const scope = { frames, page, tab: { id: 'T', url: () => 'https://site.test/' } } as unknown as ConstructorParameters<
    typeof DraggedFiles
  >[0]; // all that is used of it
  return { dragged: new DraggedFiles(scope, { stage }), heard, stage };
}

it('empty files of the same types stand for those that are dragged, and go with the drag', async () => {
  const { dragged, heard } = start();
  expect(await dragged.over(AT, 0, ['image/png', '', 'application/x-what'])).toBe(true);
  expect(await dragged.over(AT, 0, ['image/png', '', 'application/x-what'])).toBe(true);
  await dragged.leave();
  await dragged.leave();
  expect(heard).toEqual([
    'add file0.png of 0',
    'add file1 of 0',
    'add file2 of 0',
    'over T',
    'over T',
    'leave',
    'remove',
  ]);
});

it('another drag takes the place of one that nobody has ended', async () => {
  const { dragged, heard } = start({ takes: false });
  expect(await dragged.over(AT, 0, ['text/plain'])).toBe(false);
  await dragged.over(AT, 0, ['text/csv']);
  expect(heard).toEqual(['add file0.txt of 0', 'over T', 'leave', 'remove', 'add file0.csv of 0', 'over T']);
});

it('where no folder can be made the drag fails with the reason, and ends without one', async () => {
  const { dragged } = start({ fails: true });
  await expect(dragged.over(AT, 0, ['a'])).rejects.toMatchObject({ code: 'no-exchange' });
  await dragged.leave();
});

it.each([
  ['drag', 'tab-gone', ['add file0 of 0', 'remove']],
  ['add', 'disk-full', ['remove']],
])('no files stay where the drag fails at %s', async (failsAt, code, left) => {
  const { dragged, heard } = start({ failsAt });
  await expect(dragged.over(AT, 0, ['a'])).rejects.toMatchObject({ code });
  await dragged.leave();
  expect(heard).toEqual(left);
});

it('what is dropped is given to the page where it was dropped', async () => {
  const { dragged, heard, stage } = start({ takes: false });
  const target = await dragged.target(AT, 0);
  expect(target).toMatchObject({ frame: 3, asFolder: true });
  expect(await target.give(await stage())).toBe(false);
  expect(heard).toEqual(['drop T']);
});

/** Entries of a file system, folders by objects and files by their content. */
function entry(name: string, content: object | string): FileSystemEntry {
  if (typeof content === 'string') {
    const file = (done: (file: File) => void, fail: (error: Error) => void): void =>
      content === 'gone' ? fail(new Error('gone')) : done(new File([content], name));
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = (): object => {
    const left = Object.entries(content).map(([each, inside]) => entry(each, inside as object | string));
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.splice(0, 2)) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

const pathsOf = async (...entries: (FileSystemEntry | File)[]): Promise<string[]> =>
  (await filesOf(entries)).map(({ file, path }) => `${file.name} ${path}`);

it('folders are walked to their end, and what cannot be read is left out', async () => {
  const folder = entry('f', { a: '1', b: 'gone', c: '3', d: { e: '5' } });
  expect(await pathsOf(entry('x', 'x'), folder, new File(['y'], 'y'))).toEqual([
    'x ',
    'a f/a',
    'c f/c',
    'e f/d/e',
    'y ',
  ]);
});

it('the walk ends in folders that are endless', async () => {
  const endless: Record<string, object> = {};
  endless['f'] = endless;
  expect(await pathsOf(entry('f', endless))).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_each, at) => [`${at}`, '']));
  expect(await pathsOf(entry('f', many))).toHaveLength(1000);
});
