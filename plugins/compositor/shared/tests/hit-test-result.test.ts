import { describe, expect, it } from 'vitest';
import { validate } from '../../../../core/protocol/message.ts';
import { hitTestResult, hitTestResultSchema, SELECT_ITEM_TYPES } from '../hit-test-result.ts';
import type { HitTestResult } from '../hit-test-result.ts';
import { faultCode } from './fault-code.ts';

const item = { type: 'option', label: 'One', index: 2, checked: true, enabled: false, hidden: true, in_group: true };

const FULL = {
  text: 'a word of the line',
  editable: true,
  selected: true,
  link_url: 'https://site.test/next',
  link_opens_new_tab: true,
  cursor_name: 'ew-resize',
  title: 'where it goes',
  node_id: 44,
  viewport_bounds: { x: -5.5, y: 10, width: 120, height: 18 },
  select_items: [item, { ...item, type: 'group', index: 0 }, { ...item, type: 'separator', index: 1 }],
  extra_input: {
    ...{ type: 'date', value: '2024-05-01', min: '2024-01-01', max: '2024-12-31', step: '1' },
    ...{ multiple: false, read_only: true },
  },
} satisfies HitTestResult;

const arrived = (result: unknown): unknown =>
  validate(hitTestResult.params, JSON.parse(JSON.stringify({ frame: 1, result })), hitTestResult.name).result;

describe('a hit-test result', () => {
  it('carries all properties of a point', () => {
    expect(arrived(FULL)).toEqual(FULL);
    expect(Object.keys(hitTestResultSchema.entries).sort()).toEqual(Object.keys(FULL).sort());
  });

  it('omits fields that do not apply, and requires the others', () => {
    const absent = ['text', 'link_url', 'title', 'select_items', 'extra_input'];
    for (const name of Object.keys(FULL)) {
      const rest = Object.fromEntries(Object.entries(FULL).filter(([other]) => other !== name));
      if (absent.includes(name)) expect(arrived(rest), name).toEqual(rest);
      else
        expect(
          faultCode(() => arrived(rest)),
          name,
        ).toBe('bad-message');
    }
    expect(arrived(null)).toBeNull();
  });

  it('is refused with a field of the wrong shape, or out of bounds', () => {
    const wrong: Partial<Record<keyof HitTestResult, readonly unknown[]>> = {
      text: [1, 'x'.repeat(100_001)],
      editable: ['true'],
      selected: [1],
      link_url: [{}, 'x'.repeat(65_537)],
      link_opens_new_tab: [null],
      cursor_name: ['', 'url(https://evil.test/x)', 'a;b', 'x'.repeat(21)],
      title: [[], 'x'.repeat(2001)],
      node_id: [-1, 0.5, 2 ** 53],
      viewport_bounds: [{ x: 0, y: 0, width: -1, height: 1 }, { x: 1e9, y: 0, width: 1, height: 1 }, [1, 2, 3, 4]],
      select_items: [{}, [{ ...item, index: -1 }], [{ ...item, checked: 'x' }], Array(10_001).fill(item)],
      extra_input: ['x', { ...FULL.extra_input, value: 3 }],
    };
    expect(Object.keys(wrong).sort()).toEqual(Object.keys(FULL).sort());
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        expect(
          faultCode(() => arrived({ ...FULL, [name]: value })),
          name,
        ).toBe('bad-message');
  });

  it('accepts an item of an unknown type', () => {
    expect(SELECT_ITEM_TYPES).toEqual(['separator', 'group', 'option']);
    expect(arrived({ ...FULL, select_items: [{ ...item, type: 'carousel' }] })).toMatchObject({
      select_items: [{ type: 'carousel' }],
    });
  });
});
