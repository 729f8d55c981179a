import { describe, expect, it } from 'vitest';
import { kindOf, Patience } from '../client/patience.ts';

const node = (localName: string, className: unknown = '', id = ''): EventTarget =>
  Object.assign(new EventTarget(), { localName, className, id });

describe('what a page keeps for itself', () => {
  it('is waited for until a page has let three gestures go, and kept none', () => {
    const patience = new Patience(() => undefined);
    for (const kind of ['a', 'b', 'c']) {
      expect(patience.for(kind)).toBe(300);
      patience.learn(kind, false);
      expect(patience.for(kind)).toBe(0);
    }
    expect(patience.for('d')).toBe(0);
    patience.learn('d', true);
    expect(patience.for('d')).toBe(1000);
    expect(patience.for('e')).toBe(300);
    patience.learn('d', false);
    expect(patience.for('d')).toBe(1000);
  });

  it('is not waited for where the page has no listener that may keep anything, and each time where it has', () => {
    let mayKeep = false;
    const patience = new Patience(() => mayKeep);
    expect(patience.for('a')).toBe(0);
    mayKeep = true;
    for (const kind of ['a', 'b', 'c', 'd']) {
      expect(patience.for(kind)).toBe(300);
      patience.learn(kind, false);
    }
    expect(patience.for('a')).toBe(0);
    expect(patience.for('e')).toBe(300);
  });

  it('is remembered by direction and by what is touched, so that elements of a list are alike', () => {
    const list = node('ul', 'rows');
    expect(kindOf([node('li', 'row'), list], 'y')).toBe(kindOf([node('li', 'row'), list], 'y'));
    expect(kindOf([node('li', 'row'), list], 'x')).not.toBe(kindOf([node('li', 'row'), list], 'y'));
    expect(kindOf([node('li', 'row', 'last'), list], 'y')).not.toBe(kindOf([node('li', 'row'), list], 'y'));
    expect(kindOf([node('svg', { baseVal: 'drawn' }), new EventTarget()], 'y')).toBe('y svg#. #.');
  });

  it('is remembered of a bounded number of kinds', () => {
    const patience = new Patience(() => undefined);
    for (let each = 0; each < 500; each++) patience.learn(String(each), true);
    patience.learn('more', true);
    expect(patience.for('499')).toBe(1000);
    expect(patience.for('more')).toBe(300);
  });
});
