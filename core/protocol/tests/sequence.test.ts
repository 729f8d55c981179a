import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Inbox, INBOX_WINDOW, Outbox, OUTBOX_MAX_BYTES, OUTBOX_MAX_MESSAGES } from '../sequence.ts';

describe('outbox', () => {
  it('numbers from 1 and keeps unacknowledged messages, in order', () => {
    const outbox = new Outbox<string>();
    for (const item of ['a', 'b', 'c']) outbox.add(item, 1, 0);
    outbox.acknowledge(1);
    expect(outbox.unacknowledged().map(({ seq, item }) => [seq, item])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ]);
    outbox.acknowledge(1);
    outbox.acknowledge(3);
    expect(outbox.unacknowledged()).toEqual([]);
    expect(outbox.bytes).toBe(0);
  });

  it('rejects acknowledgements of messages that were never sent', () => {
    const outbox = new Outbox<string>();
    outbox.add('a', 1, 0);
    expect(() => outbox.acknowledge(2)).toThrow(expect.objectContaining({ code: 'bad-sequence' }));
    expect(() => outbox.acknowledge(Number.NaN)).toThrow(expect.objectContaining({ code: 'bad-sequence' }));
  });

  it('discards messages past its limits, and reports that until the gap is past', () => {
    for (const bytes of [1, OUTBOX_MAX_BYTES / 4]) {
      const outbox = new Outbox<number>();
      for (let i = 0; i <= OUTBOX_MAX_MESSAGES; i++) outbox.add(i, bytes, 0);
      expect(outbox.overflowed).toBe(true);
      expect(outbox.bytes).toBeLessThanOrEqual(OUTBOX_MAX_BYTES);
      outbox.acknowledge(OUTBOX_MAX_MESSAGES + 1);
      expect(outbox.overflowed).toBe(false);
    }
  });

  it('returns the age of the oldest pending message', () => {
    const outbox = new Outbox<string>();
    expect(outbox.oldestAt()).toBeUndefined();
    outbox.add('a', 1, 100);
    outbox.add('b', 1, 200);
    outbox.acknowledge(1);
    expect(outbox.oldestAt()).toBe(200);
  });
});

describe('inbox', () => {
  it('accepts each message once, in any order, and acknowledges only a complete run', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 }), (arrivals) => {
        const inbox = new Inbox();
        const seen = new Set<number>();
        for (const seq of arrivals) {
          expect(inbox.accept(seq)).toBe(!seen.has(seq));
          seen.add(seq);
          let whole = 0;
          while (seen.has(whole + 1)) whole += 1;
          expect(inbox.acknowledged).toBe(whole);
        }
      }),
    );
  });

  it('[M-077] has what has arrived behind the messages that it gives up', () => {
    const inbox = new Inbox();
    for (const seq of [3, 4, 7]) expect(inbox.accept(seq)).toBe(true);
    inbox.skip(2);
    expect([inbox.acknowledged, inbox.isMissing]).toEqual([4, true]);
    inbox.skip(1);
    inbox.skip(7);
    expect([inbox.acknowledged, inbox.isMissing]).toEqual([7, false]);
    expect(inbox.accept(7)).toBe(false);
    expect(inbox.accept(8)).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN, INBOX_WINDOW + 1, 2 ** 53])('rejects number %s', (seq) => {
    expect(() => new Inbox().accept(seq)).toThrow(expect.objectContaining({ code: 'bad-sequence' }));
  });
});
