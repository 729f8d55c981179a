import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { MAX_ID } from '../codec.ts';
import type { Commit } from '../commit.ts';
import type { AnimatedImage, LayerMutation, LayerUpdate, Scrollbar } from '../layers.ts';
import { HIT_TEST_OPAQUENESS, LAYER_TYPES } from '../layers.ts';
import { BLEND_MODES, OVERSCROLL_BEHAVIORS } from '../property-trees.ts';
import type { ClipNode, EffectNode, ScrollNode, StickyPosition, TransformNode, TreeChange } from '../property-trees.ts';

const id = fc.oneof(fc.nat(200), fc.nat(MAX_ID));
const node = fc.oneof(fc.constant(-1), id);
const px = fc.float({ noNaN: true, noDefaultInfinity: true });
const extent = fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // no -0, which `min` allows
const whole = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer());
const color = fc.nat(0xffffffff);
const point = fc.record({ x: px, y: px });
const rect = fc.record({ x: px, y: px, width: extent, height: extent });
const size = fc.record({ width: id, height: id });
const region = fc.array(fc.record({ x: whole, y: whole, width: id, height: id }), { maxLength: 3 });
const factor = fc.double({ min: 0.001, max: 1000, noNaN: true });
const layerType = fc.constantFrom(...LAYER_TYPES);

/** Any of the fields, or none. */
function some<T>(fields: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [] }) as Arbitrary<Partial<T>>; // TypeScript cannot infer this for a generic T
}

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const matrix = fc.oneof(
  fc.constant([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
  fc.tuple(double, double).map(([x, y]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1]),
  fc.tuple(double, double, double).map(([a, b, c]) => [a, b, 0, 0, c, 1, 0, 0, 0, 0, 1, 0, 7, 8, 0, 1]),
  fc.array(double, { minLength: 16, maxLength: 16 }),
);

const sticky: Arbitrary<StickyPosition> = fc
  .tuple(
    some({ left: px, right: px, top: px, bottom: px }),
    fc.record({
      scroll_id: id,
      sticky_box_rect: rect,
      containing_block_rect: rect,
      nearest_sticky_box: node,
      nearest_containing_block: node,
    }),
  )
  .map(([edges, rest]) => ({ ...edges, ...rest }));

const transform: Arbitrary<TransformNode> = fc
  .tuple(
    fc.record({
      parent_id: fc.integer({ min: -1, max: 99 }),
      local: matrix,
      origin: fc.record({ x: px, y: px, z: px }),
      post_translation: point,
      flags: fc.nat(15),
    }),
    some({ sticky_position: sticky }),
  )
  .map(([fields, rest]) => ({ ...fields, ...rest }));

const overscroll = fc.constantFrom(...OVERSCROLL_BEHAVIORS);
const scroll: Arbitrary<ScrollNode> = fc.record({
  parent_id: fc.integer({ min: -1, max: 99 }),
  transform_id: id,
  element_id: id,
  container_bounds: size,
  bounds: size,
  overscroll_behavior_x: overscroll,
  overscroll_behavior_y: overscroll,
  flags: fc.nat(31),
});
const clip: Arbitrary<ClipNode> = fc.record({
  parent_id: fc.integer({ min: -1, max: 99 }),
  transform_id: id,
  clip_rect: rect,
});
const mask = fc.record({ rect, top_left: point, top_right: point, bottom_right: point, bottom_left: point });
const effect: Arbitrary<EffectNode> = fc
  .tuple(
    fc.record({
      parent_id: fc.integer({ min: -1, max: 99 }),
      opacity: fc.float({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
      blend_mode: fc.constantFrom(...BLEND_MODES),
      transform_id: id,
      clip_id: node,
      target_id: node,
      flags: fc.nat(7),
    }),
    some({ rounded_corner_mask: mask }),
  )
  .map(([fields, rest]) => ({ ...fields, ...rest }));

const unknown = fc.record({
  type: fc.constant('unknown' as const),
  tag: fc.integer({ min: 3, max: 127 }),
  body: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
});

function tree<N>(nodes: Arbitrary<N>): Arbitrary<TreeChange<N>> {
  const ids = fc.integer({ min: 100, max: MAX_ID });
  const mutation = fc.oneof(
    fc.record({ type: fc.constant('set' as const), id: ids, node: nodes }),
    fc.record({ type: fc.constant('remove' as const), id }),
    unknown,
  );
  return fc.record({ node_count: fc.nat(16_384), mutations: fc.array(mutation, { maxLength: 4 }) });
}

const animatedImage: Arbitrary<AnimatedImage> = fc
  .record({
    paint_image_id: id,
    repetition_count: fc.integer({ min: -1 }),
    frame_duration: fc.array(fc.nat(0xffffffff), { minLength: 1, maxLength: 5 }),
  })
  .chain((image) =>
    fc.integer({ min: image.frame_duration.length, max: 65_536 }).map((frame_count) => ({ ...image, frame_count })),
  );

const scrollbar: Arbitrary<Scrollbar> = fc
  .tuple(
    fc.record({
      orientation: fc.constantFrom('horizontal', 'vertical'),
      scroll_element_id: id,
      is_left_side: fc.boolean(),
      is_overlay: fc.boolean(),
      track_rect: rect,
      thumb_rect: rect,
    }),
    some({ back_button_rect: rect, forward_button_rect: rect, color }),
  )
  .map(([fields, rest]) => ({ ...fields, ...rest }));

const tileUpdate = fc
  .tuple(
    fc.record({ index_x: fc.nat(65_535), index_y: fc.nat(65_535), invalidation_region: region }),
    some({ solid_color: color }),
  )
  .map(([fields, rest]) => ({ ...fields, ...rest }));

const layerUpdate: Arbitrary<LayerUpdate> = fc
  .tuple(
    fc.record({ id, type: layerType, flags: fc.nat(15), pointer_events_none: fc.boolean() }),
    some({
      bounds: size,
      offset_to_transform_parent: point,
      background_color: color,
      tree_indexes: fc.record({ transform: id, scroll: node, clip: node, effect: node }),
      node_id: id,
      non_fast_scrollable_rects: region,
      wheel_event_region: region,
      touch_action_region: fc.array(fc.record({ touch_action: fc.nat(63), region }), { maxLength: 2 }),
      element_id: id,
      hit_test_opaqueness: fc.constantFrom(...HIT_TEST_OPAQUENESS),
      tile_updates: fc.array(tileUpdate, { maxLength: 3 }),
      animated_images: fc.array(animatedImage, { maxLength: 2 }),
      texture_bounds: size,
      scrollbar,
      frame_sink_id: id,
    }),
  )
  .map(([fields, rest]) => ({ ...fields, ...rest }));

const layerMutation: Arbitrary<LayerMutation> = fc.oneof(
  fc.record({
    type: fc.constantFrom('add' as const, 'remove' as const),
    layer_id: id,
    layer_type: layerType,
    parent_id: node,
    sibling_index: fc.nat(16_384),
  }),
  unknown,
);

const pageScale = fc
  .tuple(factor, factor, factor)
  .map((factors) => factors.toSorted((a, b) => a - b) as [number, number, number])
  .map(([min, value, max]) => ({ value, min, max }));
const side = fc.integer({ min: 1, max: 2048 });

/** Any valid commit. */
export const anyCommit: Arbitrary<Commit> = fc
  .tuple(
    fc.record({
      fid: id,
      flags: fc.nat(7),
      full_tree: fc.boolean(),
      reset_cache: fc.boolean(),
      wheel_listeners: fc.nat(3),
      touch_listeners: fc.nat(3),
    }),
    fc.oneof(
      fc.constant({ is_main_frame: true }),
      id.map((sink) => ({ is_main_frame: false, frame_sink_id: sink })),
    ),
    some({
      special_ids: fc.record({
        root_layer_id: id,
        inner_scroll: node,
        outer_scroll: node,
        outer_content: node,
        page_scale: node,
      }),
      device_scale_factor: factor,
      config: fc.record({
        max_pre_draw_distance: extent,
        pre_draw_distance_factor: extent,
        pre_draw_distance_factor_for_dom_raster: extent,
        flags: fc.nat(7),
      }),
      page_scale_factor: pageScale,
      display_list_tile_size: fc.record({ width: side, height: side }),
      inner_viewport_bounds_delta: point,
      outer_viewport_bounds_delta: point,
      trees: some({ transform: tree(transform), scroll: tree(scroll), clip: tree(clip), effect: tree(effect) }),
      main_thread_deltas: fc.array(fc.record({ element_id: id, delta_x: px, delta_y: px }), { maxLength: 3 }),
      discarded_resource_providers: fc.array(id, { maxLength: 4 }),
      layer_mutations: fc.array(layerMutation, { maxLength: 4 }),
      layer_updates: fc.array(layerUpdate, { maxLength: 3 }),
    }),
  )
  .map(([identity, sink, rest]) => ({ ...identity, ...sink, ...rest }));
