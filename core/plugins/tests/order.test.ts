import { describe, expect, it } from 'vitest';
import { inOrder, providerOf, refuseCircle } from '../order.ts';

const plugin = (id: string, requires: readonly string[] = [], provides: readonly string[] = [`${id}.service`]) => ({
  manifest: { id, requires, provides },
});
const ids = (plugins: readonly ReturnType<typeof plugin>[]): string[] => plugins.map(({ manifest }) => manifest.id);

describe('the order of activation', () => {
  it('has providers before those who require them, and is otherwise as given', () => {
    const all = [plugin('c', ['b.service']), plugin('d'), plugin('b', ['a.service', 'nobody.service']), plugin('a')];
    expect(ids(inOrder(all))).toEqual(['a', 'b', 'c', 'd']);
    expect(providerOf('b.service', all)?.manifest.id).toBe('b');
    expect(providerOf('nobody.service', all)).toBeUndefined();
    for (const each of all) refuseCircle(each, all);
  });

  it('refuses each plugin of a circle, and no other', () => {
    const all = [
      plugin('a', ['c.service']),
      plugin('b', ['a.service']),
      plugin('c', ['b.service']),
      plugin('self', ['self.service']),
      plugin('beside', ['a.service']),
      plugin('apart'),
    ];
    const refused = all.filter((each) => {
      try {
        refuseCircle(each, all);
        return false;
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'requires-cycle', message: `${each.manifest.id} requires itself` });
        return true;
      }
    });
    expect(ids(refused)).toEqual(['a', 'b', 'c', 'self']);
    expect(ids(inOrder(all)).toSorted()).toEqual(ids(all).toSorted());
  });
});
