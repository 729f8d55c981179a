import fc from 'fast-check';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import { LANES } from '../../core/protocol/lanes.ts';

const OPS = 120;
const hostileNumber = fc.oneof(
  fc.integer({ min: -3, max: 130 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e308),
);
const hostileText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('__proto__', 'constructor', '\0', '\ud800', 'x'.repeat(70_000), 'mirror.page-batch', 'CM-mouse'),
);
const nested = fc.nat({ max: 20_000 }).map((depth): unknown => {
  let value: unknown = 0;
  for (let at = 0; at < Math.min(depth, 3000); at++) value = at % 2 ? [value] : { a: value };
  return value;
});
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 2, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: nested },
);

/** Parameters that almost match: the members of real messages, with hostile values. */
const params: fc.Arbitrary<unknown> = fc.oneof(
  value,
  fc.dictionary(
    fc.constantFrom(
      ...'frame epoch seq reason target type text value node offset point x y left top url id accept answer index key code modifiers button delta_x delta_y handled view_size device_metrics width height'.split(
        ' ',
      ),
    ),
    fc.oneof(
      value,
      fc.record({
        frame: hostileNumber,
        node: hostileNumber,
        point: fc.record({ x: hostileNumber, y: hostileNumber }),
      }),
    ),
    { maxKeys: 8 },
  ),
);

const op = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: OPS }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...CORE_MESSAGES.map(({ name }) => name), 'mirror.resync', 'mirror.applied'),
  },
  { weight: 1, arbitrary: value },
);

/** Most parts of a packet are valid, so that an invalid one reaches each place. */
const mostly = (good: fc.Arbitrary<unknown>, ...bad: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, ...bad.map((arbitrary) => ({ weight: 1, arbitrary })));

const packet = fc
  .tuple(
    mostly(fc.constant('next'), hostileNumber, value),
    mostly(fc.constantFrom(...Object.values(LANES)), fc.nat({ max: 5 }), value),
    op,
    params,
    mostly(fc.constantFrom(0, 1, 7), hostileNumber, value),
    mostly(fc.constant(null), fc.array(hostileNumber, { maxLength: 4 }), value),
  )
  .map(([seq, ...rest]) => ({ seq, rest }));

const control = fc.dictionary(
  fc.constantFrom('ack', 'ping_time', 'pong', 'skip', 'bye', 'srm', 'x'),
  fc.oneof(hostileNumber, value),
  {
    maxKeys: 3,
  },
);

/**
 * Texts that a hostile client could send upstream: packets and controls that almost match, other JSON, and invalid
 * JSON. Each is created when it is sent, because most packets have the current number.
 */
export const upstream: fc.Arbitrary<(next: () => number) => string> = fc.oneof(
  {
    weight: 12,
    arbitrary: packet.map(
      ({ seq, rest }) =>
        (next: () => number) =>
          JSON.stringify([seq === 'next' ? next() : seq, ...rest]),
    ),
  },
  { weight: 3, arbitrary: fixed(control) },
  { weight: 3, arbitrary: fixed(value) },
  { weight: 1, arbitrary: hostileText.map((text) => () => text) },
);

function fixed(drawn: fc.Arbitrary<unknown>): fc.Arbitrary<() => string> {
  return drawn.map((each) => () => JSON.stringify(each));
}
