import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BinaryForm } from '../binary.ts';
import { commitForm } from '../commit.ts';
import type { DisplayListDelta } from '../display-list.ts';
import { displayListDeltaForm } from '../display-list.ts';
import { anyCommit } from './arbitrary-commit.ts';
import { faultCode } from './fault-code.ts';
import { EMPTY_COMMIT, FULL_COMMIT } from './full-commit.ts';
import { FULL_DELTA } from './full-delta.ts';

const SEED = 3103;
const runs = process.env.VITRINE_LONG ? 200_000 : 3000;

/** Damage to valid bytes, at a place from 0 to 1. */
const damage = fc.tuple(
  fc.constantFrom('flip', 'set', 'insert', 'delete', 'repeat', 'cut'),
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.uint8Array({ minLength: 1, maxLength: 9 }),
);

function damaged(bytes: Uint8Array, [kind, place, junk]: [string, number, Uint8Array]): Uint8Array {
  const at = Math.floor(place * bytes.length);
  const [before, from] = [bytes.subarray(0, at), bytes.subarray(at)];
  const [first = 0] = junk;
  switch (kind) {
    case 'flip':
      return from.length > 0 ? bytes.with(at, from[0]! ^ (1 << (first & 7))) : bytes;
    case 'set':
      return Uint8Array.of(...before, ...junk, ...from.subarray(junk.length));
    case 'insert':
      return Uint8Array.of(...before, ...junk, ...from);
    case 'delete':
      return Uint8Array.of(...before, ...from.subarray(junk.length));
    case 'repeat':
      return Uint8Array.of(...before, ...from.subarray(0, first), ...from);
    default:
      return before;
  }
}

/** Whether bytes are refused with the code, or decode to a value whose encoding is the same. */
function isSound(form: BinaryForm<unknown>, bytes: Uint8Array): void {
  let value;
  const code = faultCode(() => (value = form.decode(bytes)));
  if (code === 'none') expect(form.encode(value)).toEqual(new Uint8Array(bytes));
  else expect(code).toBe('bad-binary');
}

const FORMS: readonly [string, BinaryForm<unknown>, Uint8Array][] = [
  ['a commit', commitForm as BinaryForm<unknown>, commitForm.encode(FULL_COMMIT)],
  ['a display list delta', displayListDeltaForm as BinaryForm<unknown>, displayListDeltaForm.encode(FULL_DELTA)],
];

describe.each(FORMS)('%s from one who means harm', (_, form, good) => {
  it('is refused when it is truncated anywhere, or followed by anything', () => {
    for (let length = 0; length < good.length; length++)
      expect(faultCode(() => form.decode(good.subarray(0, length)))).toBe('bad-binary');
    expect(faultCode(() => form.decode(Uint8Array.of(...good, 0)))).toBe('bad-binary');
    expect(faultCode(() => form.decode(good))).toBe('none');
  });

  it('is refused or decoded exactly, with any byte changed', () => {
    for (let at = 0; at < good.length; at++)
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) isSound(form, good.with(at, byte));
  });

  it('is refused or decoded exactly, with a huge count anywhere', () => {
    for (let at = 1; at < good.length; at++)
      for (const huge of [
        [0xff, 0xff, 0xff, 0xff, 0x07],
        [0xff, 0xff, 0x03],
        [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
      ])
        isSound(form, Uint8Array.of(...good.subarray(0, at), ...huge, ...good.subarray(at + 1)));
  });

  it('is refused when it is any bytes at all', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(bytes, (body) => isSound(form, Uint8Array.of(1, ...body))),
      { seed: SEED, numRuns: runs },
    );
    fc.assert(
      fc.property(bytes, (body) => isSound(form, body)),
      { seed: SEED, numRuns: runs },
    );
  });
});

it('a commit that is damaged anywhere is refused or decoded exactly', () => {
  fc.assert(
    fc.property(anyCommit, fc.array(damage, { minLength: 1, maxLength: 3 }), (commit, damages) => {
      isSound(commitForm as BinaryForm<unknown>, damages.reduce(damaged, commitForm.encode(commit)));
    }),
    { seed: SEED, numRuns: Math.ceil(runs / 4) },
  );
});

/** Counts the numbers, texts, lists and objects in a value. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + partsOf(inner), 1);
}

it('the number of parts of a commit is bounded by its bytes, however densely it is packed', () => {
  const holds = (bytes: Uint8Array): void => {
    expect(partsOf(commitForm.decode(bytes))).toBeLessThan(20 + 6 * bytes.length);
  };
  const unknown = { type: 'unknown', tag: 99, body: new Uint8Array() } as const;
  const layer = { id: 0, type: 'Layer', flags: 0, pointer_events_none: false } as const;
  const tile = { index_x: 0, index_y: 0, invalidation_region: [] };
  const box = { x: 0, y: 0, width: 0, height: 0 };
  const image = { paint_image_id: 0, frame_count: 9, repetition_count: 0, frame_duration: [0] };
  for (const dense of [
    { layer_mutations: Array<typeof unknown>(16_384).fill(unknown) },
    { trees: { clip: { node_count: 0, mutations: Array<typeof unknown>(16_384).fill(unknown) } } },
    { layer_updates: Array<typeof layer>(16_384).fill(layer) },
    { layer_updates: [{ ...layer, tile_updates: Array<typeof tile>(16_384).fill(tile) }] },
    { layer_updates: [{ ...layer, wheel_event_region: Array<typeof box>(4096).fill(box) }] },
    { layer_updates: [{ ...layer, animated_images: Array<typeof image>(1024).fill(image) }] },
    { discarded_resource_providers: Array<number>(65_536).fill(0) },
  ])
    holds(commitForm.encode({ ...EMPTY_COMMIT, ...dense }));
  fc.assert(
    fc.property(anyCommit, (commit) => holds(commitForm.encode(commit))),
    { seed: SEED },
  );
});

it('a tree has no cycle: a node has a larger id than its parent', () => {
  const node = { parent_id: 5, transform_id: 0, clip_rect: { x: 0, y: 0, width: 1, height: 1 } };
  const withId = (id: number): Parameters<typeof commitForm.encode>[0] => ({
    ...FULL_COMMIT,
    trees: { clip: { node_count: 1, mutations: [{ type: 'set', id, node }] } },
  });
  for (const id of [0, 4, 5]) expect(faultCode(() => commitForm.encode(withId(id)))).toBe('bad-binary');
  const bytes = commitForm.encode(withId(6));
  const at = bytes.findIndex((byte, index) => byte !== commitForm.encode(withId(7))[index]);
  expect(faultCode(() => commitForm.decode(bytes.with(at, 5)))).toBe('bad-binary');
});

it('an address of a display list is a path of the host, and nothing else', () => {
  const withAddress = (address: string): DisplayListDelta => ({
    ...FULL_DELTA,
    operations: [{ ...FULL_DELTA.operations[2], address }],
  });
  for (const address of ['/c/i/x?q=0.8', '/'])
    expect(displayListDeltaForm.decode(displayListDeltaForm.encode(withAddress(address)))).toEqual(
      withAddress(address),
    );
  for (const address of [
    '//evil.test/',
    '/\\evil.test',
    'https://evil.test/',
    '',
    'c/i',
    '/ a',
    '/\tb',
    `/${'x'.repeat(2048)}`,
  ])
    expect(
      faultCode(() => displayListDeltaForm.encode(withAddress(address))),
      address,
    ).toBe('bad-binary');
});
