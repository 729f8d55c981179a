import type { Commit } from '../commit.ts';
import { COMMIT_FLAGS, CONFIG_FLAGS, EFFECT_FLAGS, LAYER_FLAGS, LISTENER_FLAGS } from '../flags.ts';
import { SCROLL_FLAGS, TOUCH_ACTION, TRANSFORM_FLAGS } from '../flags.ts';
import type { LayerUpdate } from '../layers.ts';

/** A layer with every field. */
export const FULL_LAYER = {
  id: 31,
  type: 'PaintedScrollbarLayer',
  flags: LAYER_FLAGS.drawsContent | LAYER_FLAGS.backfaceHidden,
  pointer_events_none: true,
  bounds: { width: 1265, height: 3263 },
  offset_to_transform_parent: { x: 8.5, y: -16.25 },
  background_color: 0xff8000c0,
  tree_indexes: { transform: 41, scroll: 42, clip: 43, effect: -1 },
  node_id: 44,
  non_fast_scrollable_rects: [{ x: 1, y: 2, width: 3, height: 4 }],
  wheel_event_region: [{ x: -5, y: -6, width: 7, height: 8 }],
  touch_action_region: [
    { touch_action: TOUCH_ACTION.panY | TOUCH_ACTION.pinchZoom, region: [{ x: 9, y: 10, width: 11, height: 12 }] },
  ],
  element_id: 45,
  hit_test_opaqueness: 'mixed',
  tile_updates: [
    { index_x: 2, index_y: 3, invalidation_region: [{ x: 13, y: 14, width: 15, height: 16 }] },
    { index_x: 4, index_y: 5, invalidation_region: [], solid_color: 0x102030ff },
  ],
  animated_images: [
    { paint_image_id: 46, frame_count: 3, repetition_count: -1, frame_duration: [100, 50] },
    { paint_image_id: 47, frame_count: 1, repetition_count: 4, frame_duration: [70] },
  ],
  texture_bounds: { width: 640, height: 480 },
  scrollbar: {
    orientation: 'vertical',
    scroll_element_id: 48,
    is_left_side: true,
    is_overlay: true,
    track_rect: { x: 0, y: 15, width: 15, height: 570 },
    thumb_rect: { x: 1, y: 20, width: 13, height: 90.5 },
    back_button_rect: { x: 0, y: 0, width: 15, height: 14 },
    forward_button_rect: { x: 0, y: 585, width: 15, height: 16 },
    color: 0xc1c1c1ff,
  },
  frame_sink_id: 49,
} as const satisfies LayerUpdate;

/** A commit with every field, each with a different value. */
export const FULL_COMMIT = {
  fid: 7,
  flags: COMMIT_FLAGS.awaitsTiles | COMMIT_FLAGS.animating,
  is_main_frame: false,
  full_tree: true,
  reset_cache: true,
  wheel_listeners: LISTENER_FLAGS.blocking,
  touch_listeners: LISTENER_FLAGS.passive,
  frame_sink_id: 300,
  special_ids: { root_layer_id: 1, inner_scroll: 2, outer_scroll: 3, outer_content: 4, page_scale: -1 },
  device_scale_factor: 1.1,
  config: {
    max_pre_draw_distance: 4096,
    pre_draw_distance_factor: 1.5,
    pre_draw_distance_factor_for_dom_raster: 2.5,
    flags: CONFIG_FLAGS.localScroll | CONFIG_FLAGS.elementTiles,
  },
  page_scale_factor: { value: 1.3, min: 0.25, max: 5 },
  display_list_tile_size: { width: 2048, height: 512 },
  inner_viewport_bounds_delta: { x: 0.5, y: -56 },
  outer_viewport_bounds_delta: { x: -1, y: 48 },
  trees: {
    transform: {
      node_count: 12,
      mutations: [
        {
          type: 'set',
          id: 9,
          node: {
            parent_id: 8,
            local: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0.1],
            origin: { x: 10, y: 20, z: 30 },
            post_translation: { x: 1.5, y: 2.5 },
            flags: TRANSFORM_FLAGS.flattens | TRANSFORM_FLAGS.movedByOuterBounds,
            sticky_position: {
              scroll_id: 5,
              left: 1,
              right: 2,
              top: 3,
              bottom: 4,
              sticky_box_rect: { x: 5, y: 6, width: 7, height: 8 },
              containing_block_rect: { x: 9, y: 10, width: 11, height: 12 },
              nearest_sticky_box: 6,
              nearest_containing_block: -1,
            },
          },
        },
        { type: 'remove', id: 77 },
      ],
    },
    scroll: {
      node_count: 13,
      mutations: [
        {
          type: 'set',
          id: 3,
          node: {
            parent_id: -1,
            transform_id: 9,
            element_id: 55,
            container_bounds: { width: 1280, height: 800 },
            bounds: { width: 1281, height: 9184 },
            overscroll_behavior_x: 'none',
            overscroll_behavior_y: 'contain',
            flags: SCROLL_FLAGS.vertical | SCROLL_FLAGS.mainThread,
          },
        },
      ],
    },
    clip: {
      node_count: 14,
      mutations: [
        {
          type: 'set',
          id: 4,
          node: { parent_id: 2, transform_id: 9, clip_rect: { x: 1, y: 2, width: 3.5, height: 4 } },
        },
      ],
    },
    effect: {
      node_count: 15,
      mutations: [
        {
          type: 'set',
          id: 5,
          node: {
            parent_id: 1,
            opacity: 0.5,
            blend_mode: 'multiply',
            transform_id: 9,
            clip_id: 4,
            target_id: 0,
            rounded_corner_mask: {
              rect: { x: 1, y: 2, width: 3, height: 4 },
              top_left: { x: 5, y: 6 },
              top_right: { x: 7, y: 8 },
              bottom_right: { x: 9, y: 10 },
              bottom_left: { x: 11, y: 12 },
            },
            flags: EFFECT_FLAGS.isolates | EFFECT_FLAGS.hidden,
          },
        },
      ],
    },
  },
  main_thread_deltas: [{ element_id: 55, delta_x: -3, delta_y: 120.5 }],
  discarded_resource_providers: [61, 62],
  layer_mutations: [
    { type: 'add', layer_id: 31, layer_type: 'PaintedScrollbarLayer', parent_id: 30, sibling_index: 2 },
    { type: 'remove', layer_id: 33, layer_type: 'VideoLayer', parent_id: -1, sibling_index: 1 },
  ],
  layer_updates: [FULL_LAYER],
} as const satisfies Commit;

/** A commit with its required fields only. */
export const EMPTY_COMMIT = {
  fid: 1,
  flags: 0,
  is_main_frame: true,
  full_tree: false,
  reset_cache: false,
  wheel_listeners: 0,
  touch_listeners: 0,
} as const satisfies Commit;
