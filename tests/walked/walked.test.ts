import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isOf, missingOf } from './check.ts';
import { partsOf, partsOfProtocol, partsOfValue } from './parts.ts';
import { MOST_UNWALKED, UNWALKED } from './unwalked.ts';

describe('parts of the protocol', () => {
  it('are messages, their fields at any depth, and the kinds that a field may have', () => {
    const schema = v.object({
      kind: v.picklist(['a', 'b']),
      code: v.picklist([1, 2]),
      box: v.optional(v.object({ x: v.number() })),
      list: v.array(v.union([v.object({ id: v.number() }), v.object({ name: v.string() })])),
      outcome: v.variant('ok', [
        v.object({ ok: v.literal(true) }),
        v.object({ ok: v.literal(false), why: v.literal('x') }),
      ]),
    });
    expect(partsOf('m', schema)).toEqual([
      'm',
      'm.kind',
      'm.kind=a',
      'm.kind=b',
      'm.code',
      'm.code=1',
      'm.code=2',
      'm.box',
      'm.box.x',
      'm.list',
      'm.list.id',
      'm.list.name',
      'm.outcome',
      'm.outcome.ok',
      'm.outcome.ok=true',
      'm.outcome.ok=false',
      'm.outcome.why',
      'm.outcome.why=x',
    ]);
    const value = {
      kind: 'b',
      code: 2,
      box: { x: 12_345 },
      outcome: { ok: false, why: 'x' },
      list: [{ id: 1 }, { name: 'a longer text than any kind of a field may have' }],
    };
    expect(partsOf('m', schema).filter((part) => !partsOfValue('m', value).includes(part))).toEqual([
      'm.kind=a',
      'm.code=1',
      'm.outcome.ok=true',
    ]);
    expect(partsOfValue('m', value)).not.toContain('m.box.x=12345');
  });

  it('are those of the core and of the plugins, answers included', () => {
    const parts = partsOfProtocol();
    for (const part of ['load-state.state=ready', 'search_reply.count', 'precheck', 'POST /r/pair result.cid'])
      expect(parts).toContain(part);
    expect(parts.some((part) => part.startsWith('compositor'))).toBe(false);
  });

  it('are listed as unwalked where they are parts, and less and less of them', () => {
    const parts = partsOfProtocol();
    const listed = Object.keys(UNWALKED);
    expect(listed.filter((whole) => !parts.some((part) => isOf(part, whole)))).toEqual([]);
    expect(listed).toHaveLength(MOST_UNWALKED);
  });

  it('are missing once, where the whole is', () => {
    expect(missingOf(['a', 'a.b', 'a.b=c', 'ab', 'd', 'd result.x'], new Set(['ab', 'd']))).toEqual([
      'a',
      'd result.x',
    ]);
    expect([isOf('a.b', 'a'), isOf('ab', 'a'), isOf('a', 'a.b')]).toEqual([true, false, false]);
  });
});
