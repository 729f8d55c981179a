import { binaryForm } from './binary.ts';
import { bits, checked, float32, float64, id, list, nodeOrNone, uint } from './codec.ts';
import type { ValueOf } from './codec.ts';
import { COMMIT_FLAGS, CONFIG_FLAGS, LISTENER_FLAGS } from './flags.ts';
import { point } from './geometry.ts';
import { layerMutation, layerUpdate, MAX_LAYERS } from './layers.ts';
import { propertyTrees } from './property-trees.ts';
import { flag, optional, record } from './record.ts';

/** Largest commit, in bytes. It holds geometry only: pictures come as display list deltas. */
export const MAX_COMMIT_BYTES = 2 * 1024 * 1024;
/** Largest number of scrollers that the surrogate's main thread has moved in one commit. */
export const MAX_SCROLL_DELTAS = 4096;
/** Largest number of resources that one commit lets go of. */
export const MAX_DISCARDED_PROVIDERS = 65_536;
/** Largest size of a tile in either direction, in px: that of a video's. */
export const MAX_TILE_SIDE = 2048;

const factor = checked(float64, 'a factor', (value) => value > 0 && value <= 1000);
const distance = checked(float32, 'a distance', (value) => value >= 0);

/** The layer and nodes that have a part of their own in scrolling and zooming: none in frames that do not zoom. */
const specialIds = record({
  root_layer_id: id,
  /** Scroll nodes of the two viewports. */
  inner_scroll: nodeOrNone,
  outer_scroll: nodeOrNone,
  /** Transform node of what the outer viewport scrolls. */
  outer_content: nodeOrNone,
  /** Transform node of the page's zoom. */
  page_scale: nodeOrNone,
});
export type SpecialIds = ValueOf<typeof specialIds>;

/** How far ahead is drawn what cannot be seen yet. */
const config = record({
  /** In px beyond the viewport. */
  max_pre_draw_distance: distance,
  /** In viewports beyond it, for what is drawn here, and for what elements show. */
  pre_draw_distance_factor: distance,
  pre_draw_distance_factor_for_dom_raster: distance,
  flags: bits(CONFIG_FLAGS),
});
export type CommitConfig = ValueOf<typeof config>;

/** The page's zoom by fingers, and within what it may change. */
const pageScaleFactor = checked(
  record({ value: factor, min: factor, max: factor }),
  'a scale within its bounds',
  ({ value, min, max }) => min <= value && value <= max,
);

const side = checked(uint(MAX_TILE_SIDE), 'the side of a tile', (value) => value > 0);

/** A scroller that the page has scrolled by itself, and by how much. */
const scrollDelta = record({ element_id: id, delta_x: float32, delta_y: float32 });
export type ScrollDelta = ValueOf<typeof scrollDelta>;

/**
 * What is new in the layers and property trees of one frame. What is left out is as it was. It has no number of its
 * own: it travels by wire kind 3 in the lane `view`, which keep and count the order.
 */
const commit = checked(
  record({
    /** The frame, by the id that input and targets go by. */
    fid: id,
    flags: bits(COMMIT_FLAGS),
    is_main_frame: flag,
    /** Forget all layers and nodes of the frame first: these are all. */
    full_tree: flag,
    /** Forget all drawn pictures of the frame first. */
    reset_cache: flag,
    wheel_listeners: bits(LISTENER_FLAGS),
    touch_listeners: bits(LISTENER_FLAGS),
    /** What the SurfaceLayer goes by that shows this frame in the one around it. */
    frame_sink_id: optional(id),
    special_ids: optional(specialIds),
    device_scale_factor: optional(factor),
    config: optional(config),
    page_scale_factor: optional(pageScaleFactor),
    display_list_tile_size: optional(record({ width: side, height: side })),
    /** How far bars that come and go have moved the edge of each viewport, in px. */
    inner_viewport_bounds_delta: optional(point),
    outer_viewport_bounds_delta: optional(point),
    trees: optional(propertyTrees),
    main_thread_deltas: optional(list(scrollDelta, MAX_SCROLL_DELTAS)),
    /** Pictures of display lists that no later one refers to. */
    discarded_resource_providers: optional(list(id, MAX_DISCARDED_PROVIDERS)),
    /** In this order: layers are there before they are updated. */
    layer_mutations: optional(list(layerMutation, MAX_LAYERS)),
    layer_updates: optional(list(layerUpdate, MAX_LAYERS)),
  }),
  'a commit with a frame sink exactly for a frame within another',
  (value) => value.is_main_frame === (value.frame_sink_id === undefined),
);
export type Commit = ValueOf<typeof commit>;

/** A commit as it travels: the body of an entry of kind `commit`. */
export const commitForm = binaryForm('commit', commit, MAX_COMMIT_BYTES);
