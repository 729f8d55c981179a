import { binaryForm } from './binary.ts';
import { bits, checked, float32, float64, id, list, nodeOrNone, uint } from './codec.ts';
import type { ValueOf } from './codec.ts';
import { COMMIT_FLAGS, CONFIG_FLAGS, LISTENER_FLAGS } from './flags.ts';
import { point } from './geometry.ts';
import { layerMutation, layerUpdate, MAX_LAYERS } from './layers.ts';
import { propertyTrees } from './property-trees.ts';
import { flag, optional, record } from './record.ts';

/** Largest commit, in bytes. It holds geometry only: pictures come in display list deltas. */
export const MAX_COMMIT_BYTES = 2 * 1024 * 1024;
/** Maximum number of scrollers that the surrogate's main thread has moved in one commit. */
export const MAX_SCROLL_DELTAS = 4096;
/** Maximum number of resources that one commit releases. */
export const MAX_DISCARDED_PROVIDERS = 65_536;
/** Maximum width and height of a tile, in px: those of a video's tile. */
export const MAX_TILE_SIDE = 2048;

const factor = checked(float64, 'a factor', (value) => value > 0 && value <= 1000);
const distance = checked(float32, 'a distance', (value) => value >= 0);

/** Ids of the layer and nodes with a special role in scrolling and zooming: none in frames that do not zoom. */
const specialIds = record({
  root_layer_id: id,
  /** Scroll nodes of the two viewports. */
  inner_scroll: nodeOrNone,
  outer_scroll: nodeOrNone,
  /** Transform node of the outer viewport's content. */
  outer_content: nodeOrNone,
  /** Transform node of the page's zoom. */
  page_scale: nodeOrNone,
});
export type SpecialIds = ValueOf<typeof specialIds>;

/** Distances for drawing content ahead, before it is visible. */
const config = record({
  /** In px beyond the viewport. */
  max_pre_draw_distance: distance,
  /** In viewports beyond it: for content drawn here, and for the content of elements. */
  pre_draw_distance_factor: distance,
  pre_draw_distance_factor_for_dom_raster: distance,
  flags: bits(CONFIG_FLAGS),
});
export type CommitConfig = ValueOf<typeof config>;

/** The page's pinch-zoom factor and its limits. */
const pageScaleFactor = checked(
  record({ value: factor, min: factor, max: factor }),
  'a scale within its bounds',
  ({ value, min, max }) => min <= value && value <= max,
);

const side = checked(uint(MAX_TILE_SIDE), 'the side of a tile', (value) => value > 0);

/** A scroller that the page itself has scrolled, and the distance. */
const scrollDelta = record({ element_id: id, delta_x: float32, delta_y: float32 });
export type ScrollDelta = ValueOf<typeof scrollDelta>;

/**
 * Changes in the layers and property trees of one frame. Missing fields are unchanged. It has no number of its
 * own: it is sent as wire kind 3 in the lane `view`, which preserve and count the order.
 */
const commit = checked(
  record({
    /** The frame, by the id that input and targets use. */
    fid: id,
    flags: bits(COMMIT_FLAGS),
    is_main_frame: flag,
    /** Discard all layers and nodes of the frame first: this commit has all of them. */
    full_tree: flag,
    /** Discard all drawn pictures of the frame first. */
    reset_cache: flag,
    wheel_listeners: bits(LISTENER_FLAGS),
    touch_listeners: bits(LISTENER_FLAGS),
    /** Id by which the SurfaceLayer in the parent frame shows this frame. */
    frame_sink_id: optional(id),
    special_ids: optional(specialIds),
    device_scale_factor: optional(factor),
    config: optional(config),
    page_scale_factor: optional(pageScaleFactor),
    display_list_tile_size: optional(record({ width: side, height: side })),
    /** Offset of the edge of each viewport caused by bars that appear and disappear, in px. */
    inner_viewport_bounds_delta: optional(point),
    outer_viewport_bounds_delta: optional(point),
    trees: optional(propertyTrees),
    main_thread_deltas: optional(list(scrollDelta, MAX_SCROLL_DELTAS)),
    /** Pictures of display lists that no later one uses. */
    discarded_resource_providers: optional(list(id, MAX_DISCARDED_PROVIDERS)),
    /** In order: layers are created before they are updated. */
    layer_mutations: optional(list(layerMutation, MAX_LAYERS)),
    layer_updates: optional(list(layerUpdate, MAX_LAYERS)),
  }),
  'a commit with a frame sink exactly for a frame within another',
  (value) => value.is_main_frame === (value.frame_sink_id === undefined),
);
export type Commit = ValueOf<typeof commit>;

/** Binary form of a commit: the body of an entry of kind `commit`. */
export const commitForm = binaryForm('commit', commit, MAX_COMMIT_BYTES);
