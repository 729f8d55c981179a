import { describe, expect, it } from 'vitest';
import { MAX_RESOURCE_BYTES } from '../../../resources/data-address.ts';
import { BodyRoom, MAX_READ_BYTES, MAX_TAB_BYTES } from '../body-room.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const LARGE = MAX_RESOURCE_BYTES;

describe('room for the bodies that a cell reads', () => {
  /** Starts to read bodies; the names of those that have room, and what ends each. */
  const reading = () => {
    const room = new BodyRoom();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const read = async (name: string, tab: object, bytes = LARGE): Promise<void> => {
      ends.set(name, await room.take(tab, bytes));
      begun.push(name);
    };
    return { begun, read, end: (name: string) => ends.get(name)?.() };
  };

  it('[M7] is bounded for all tabs together, and a tab has no more than its part', async () => {
    const { begun, read, end } = reading();
    const tabs = [{}, {}, {}];
    for (const [at, tab] of tabs.entries()) for (const each of ['a', 'b', 'c']) void read(`${at}${each}`, tab);
    await settled();
    expect(begun).toEqual(['0a', '0b', '1a', '1b']);
    expect(begun.length * LARGE).toBe(MAX_READ_BYTES);
    expect(2 * LARGE).toBe(MAX_TAB_BYTES);
    end('0a');
    end('0a'); // counts once
    await settled();
    expect(begun).toEqual(['0a', '0b', '1a', '1b', '0c']);
    end('1a');
    end('1b');
    await settled();
    expect(begun).toEqual(['0a', '0b', '1a', '1b', '0c', '1c', '2a']);
  });

  it('[M7] is left to others by a tab whose page does not answer', async () => {
    const { begun, read } = reading();
    const [stuck, other] = [{}, {}];
    for (let at = 0; at < 20; at += 1) void read(`stuck ${at}`, stuck);
    for (let at = 0; at < 20; at += 1) void read(`other ${at}`, other, 100_000);
    await settled();
    expect(begun.filter((name) => name.startsWith('stuck'))).toHaveLength(2);
    expect(begun.filter((name) => name.startsWith('other'))).toHaveLength(20);
  });

  it('keeps the order of a tab: a small body does not pass a large one for ever', async () => {
    const { begun, read, end } = reading();
    const tab = {};
    for (const name of ['a', 'b', 'c']) void read(name, tab);
    void read('small', tab, 1);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    end('a');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'small']);
  });
});
