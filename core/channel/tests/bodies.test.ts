import { expect, it, vi } from 'vitest';
import { encodePiece } from '../../protocol/bodies/pieces.ts';
import { KIND } from '../../protocol/frames.ts';
import { channelBodies } from '../bodies.ts';

function made() {
  const report = vi.fn();
  const names = { query: { cid: 'c' }, received: () => 0 };
  const bodies = channelBodies({ names, send: vi.fn() }, report, 'https://host.test');
  return { bodies, report };
}

it('reports what is no piece of a body, and goes on', () => {
  const { bodies, report } = made();
  const piece = encodePiece({ id: 2, bytes: new Uint8Array(3), isLast: true });
  bodies.take(KIND.commit, 'feature', piece);
  bodies.take(KIND.data, 'feature', Uint8Array.of(0, 9, 1, 0, 0, 0));
  bodies.take(KIND.data, 'feature', new Uint8Array(2));
  const level = { level: 'error' };
  const fault = (code: string): unknown => ['tc-channel-fault', expect.objectContaining({ code }), level];
  expect(report.mock.calls).toEqual([fault('unknown-message'), fault('bad-frame'), fault('bad-frame')]);
  expect(() => bodies.take(KIND.data, 'feature', piece)).not.toThrow(); // of a body that is over
});
