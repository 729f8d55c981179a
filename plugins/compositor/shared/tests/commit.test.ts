import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BINARY_VERSION } from '../binary.ts';
import { commitForm, MAX_COMMIT_BYTES } from '../commit.ts';
import type { Commit } from '../commit.ts';
import type { LayerUpdate } from '../layers.ts';
import { anyCommit } from './arbitrary-commit.ts';
import { faultText } from './fault-code.ts';
import { EMPTY_COMMIT, FULL_COMMIT, FULL_LAYER } from './full-commit.ts';

const carried = (commit: Commit): Commit => commitForm.decode(commitForm.encode(commit));
const full = carried(FULL_COMMIT);
const runs = process.env.VITRINE_LONG ? 20_000 : 300;

/** Yields the value without one field of some part of it, and that field's path, for each field that is not a flag. */
function* lacks(value: object, path = ''): Generator<[string, object]> {
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (!Array.isArray(value) && typeof inner !== 'boolean')
      yield [at, Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))];
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [deeper, without] of lacks(inner as object, at))
      yield [deeper, Array.isArray(value) ? value.with(Number(name), without) : { ...value, [name]: without }];
  }
}

describe('a commit', () => {
  it('carries the identity and flags of a frame, and the sink of one within another', () => {
    expect(full).toMatchObject({
      ...{ fid: 7, flags: 5, is_main_frame: false, full_tree: true, reset_cache: true },
      ...{ wheel_listeners: 2, touch_listeners: 1, frame_sink_id: 300 },
    });
    for (const name of ['is_main_frame', 'full_tree', 'reset_cache'] as const) {
      const flags = { is_main_frame: false, full_tree: false, reset_cache: false, [name]: true };
      const { frame_sink_id: _, ...main } = FULL_COMMIT;
      expect(carried({ ...(flags.is_main_frame ? main : FULL_COMMIT), ...flags })).toMatchObject(flags);
    }
    expect(carried(EMPTY_COMMIT)).toEqual(EMPTY_COMMIT);
    const { frame_sink_id: sink, ...without } = FULL_COMMIT;
    expect(faultText(() => commitForm.encode(without))).toMatch(/^commit: .*frame sink/);
    expect(faultText(() => commitForm.encode({ ...EMPTY_COMMIT, frame_sink_id: sink }))).toMatch(/frame sink/);
  });

  it('carries special ids, scale factors, the configuration, the size of tiles and the deltas of the viewports', () => {
    expect(full).toMatchObject({
      special_ids: { root_layer_id: 1, inner_scroll: 2, outer_scroll: 3, outer_content: 4, page_scale: -1 },
      device_scale_factor: 1.1,
      config: {
        max_pre_draw_distance: 4096,
        pre_draw_distance_factor: 1.5,
        pre_draw_distance_factor_for_dom_raster: 2.5,
        flags: 5,
      },
      page_scale_factor: { value: 1.3, min: 0.25, max: 5 },
      display_list_tile_size: { width: 2048, height: 512 },
      inner_viewport_bounds_delta: { x: 0.5, y: -56 },
      outer_viewport_bounds_delta: { x: -1, y: 48 },
    });
  });

  it('carries mutations of the trees with counts, deltas of the main thread, discarded providers, mutations and updates of layers', () => {
    const { trees } = full;
    expect(
      [trees?.transform, trees?.scroll, trees?.clip, trees?.effect].map((tree) => [
        tree?.node_count,
        ...(tree?.mutations ?? []).map(({ type }) => type),
      ]),
    ).toEqual([
      [12, 'set', 'remove'],
      [13, 'set'],
      [14, 'set'],
      [15, 'set'],
    ]);
    expect(trees?.transform?.mutations[1]).toEqual({ type: 'remove', id: 77 });
    expect(full).toMatchObject({
      main_thread_deltas: [{ element_id: 55, delta_x: -3, delta_y: 120.5 }],
      discarded_resource_providers: [61, 62],
      layer_mutations: [
        { type: 'add', layer_id: 31, layer_type: 'PaintedScrollbarLayer', parent_id: 30, sibling_index: 2 },
        { type: 'remove', layer_id: 33, layer_type: 'VideoLayer', parent_id: -1, sibling_index: 1 },
      ],
    });
    expect(full.layer_updates).toHaveLength(1);
  });

  it('carries every field of a layer, and only those that are new', () => {
    expect(full.layer_updates).toEqual([FULL_LAYER]);
    const moved: LayerUpdate = {
      ...{ id: 5, type: 'PictureLayer', flags: 1, pointer_events_none: false },
      offset_to_transform_parent: { x: 1, y: 2 },
    };
    const bytes = commitForm.encode({ ...EMPTY_COMMIT, layer_updates: [moved] });
    expect(commitForm.decode(bytes).layer_updates).toEqual([moved]);
    expect(bytes.length).toBeLessThan(24);
  });

  it('carries updates of tiles, and the properties of animated images', () => {
    expect(full.layer_updates?.[0]).toMatchObject({
      tile_updates: [
        { index_x: 2, index_y: 3, invalidation_region: [{ x: 13, y: 14, width: 15, height: 16 }] },
        { index_x: 4, index_y: 5, invalidation_region: [], solid_color: 0x102030ff },
      ],
      animated_images: [
        { paint_image_id: 46, frame_count: 3, repetition_count: -1, frame_duration: [100, 50] },
        { paint_image_id: 47, frame_count: 1, repetition_count: 4, frame_duration: [70] },
      ],
    });
    const [image] = FULL_LAYER.animated_images;
    for (const frame_duration of [[], [1, 2, 3, 4]]) {
      const layer = { ...FULL_LAYER, animated_images: [{ ...image, frame_duration }] };
      expect(faultText(() => carried({ ...EMPTY_COMMIT, layer_updates: [layer] }))).toMatch(/animated_images: 0: not/);
    }
  });

  it('carries every field of transform and scroll nodes', () => {
    const { transform, scroll } = FULL_COMMIT.trees;
    expect(full.trees?.transform?.mutations[0]).toEqual(transform.mutations[0]);
    expect(full.trees?.scroll?.mutations[0]).toEqual(scroll.mutations[0]);
    for (const behavior of ['none', 'auto', 'contain'] as const) {
      const node = {
        ...scroll.mutations[0].node,
        ...{ overscroll_behavior_x: behavior, overscroll_behavior_y: behavior },
      };
      const change = { node_count: 1, mutations: [{ type: 'set', id: 1, node } as const] };
      expect(carried({ ...EMPTY_COMMIT, trees: { scroll: change } }).trees?.scroll).toEqual(change);
    }
  });

  it('carries every field of clip and effect nodes', () => {
    expect(full.trees?.clip?.mutations).toEqual(FULL_COMMIT.trees.clip.mutations);
    expect(full.trees?.effect?.mutations).toEqual(FULL_COMMIT.trees.effect.mutations);
  });

  it('is decoded unchanged, with any subset of its fields', () => {
    expect(full).toEqual(FULL_COMMIT);
    fc.assert(
      fc.property(anyCommit, (commit) => {
        expect(carried(commit)).toEqual(commit);
      }),
      { numRuns: runs },
    );
  });

  it('loses no field but the missing one, and adds none', () => {
    let left = 0;
    for (const [path, commit] of lacks(FULL_COMMIT)) {
      let bytes;
      try {
        bytes = commitForm.encode(commit as Commit);
      } catch {
        continue; // a required field: TypeScript checks writers, the encoder checks anyway
      }
      expect(commitForm.decode(bytes), path).toEqual(commit);
      left++;
    }
    expect(left).toBeGreaterThan(30);
  });

  it('keeps its encoding, unless the version changes', () => {
    expect([...commitForm.encode(EMPTY_COMMIT)]).toEqual([BINARY_VERSION, 0b1, 1, 0, 0, 0]);
    const digest = createHash('sha256').update(commitForm.encode(FULL_COMMIT)).digest('hex').slice(0, 16);
    expect([BINARY_VERSION, digest]).toEqual([1, '46e31fcea697394c']);
  });

  it('is refused in any other version', () => {
    const bytes = commitForm.encode(EMPTY_COMMIT);
    for (const version of [0, BINARY_VERSION + 1, 127])
      expect(faultText(() => commitForm.decode(Uint8Array.of(version, ...bytes.subarray(1))))).toBe(
        `commit: version ${version}, expected ${BINARY_VERSION}`,
      );
  });

  it('has the same bound on both sides', () => {
    const many = Array.from({ length: 16_384 }, () => FULL_LAYER);
    expect(faultText(() => commitForm.encode({ ...EMPTY_COMMIT, layer_updates: many }))).toMatch(
      /more than 2097152 bytes$/,
    );
    expect(faultText(() => commitForm.decode(new Uint8Array(MAX_COMMIT_BYTES + 1)))).toMatch(
      /more than 2097152 bytes$/,
    );
  });
});
