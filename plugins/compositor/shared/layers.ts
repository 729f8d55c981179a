import { bits, checked, choice, id, int, list, nodeOrNone, uint } from './codec.ts';
import type { ValueOf } from './codec.ts';
import { LAYER_FLAGS, TOUCH_ACTION } from './flags.ts';
import { color, point, rect, region, size } from './geometry.ts';
import { flag, oneOf, optional, record } from './record.ts';

/** Maximum number of layer mutations, and of layer updates, in a commit. */
export const MAX_LAYERS = 16_384;
/** Maximum number of tile updates of one layer. */
export const MAX_TILE_UPDATES = 16_384;
/** Maximum number of animated images on one layer. */
export const MAX_ANIMATED_IMAGES = 1024;
/** Maximum number of frames of an animated image. */
export const MAX_IMAGE_FRAMES = 65_536;
/** Maximum number of areas with their own touch action on one layer. */
export const MAX_TOUCH_AREAS = 256;

/** Kinds of layers. */
export const LAYER_TYPES = [
  'Layer',
  'PictureLayer',
  'SolidColorScrollbarLayer',
  'VideoLayer',
  'TextureLayer',
  'SurfaceLayer',
  'PaintedScrollbarLayer',
  'PaintedOverlayScrollbarLayer',
] as const;
export type LayerType = (typeof LAYER_TYPES)[number];
const layerType = choice(LAYER_TYPES);

/** Area of a layer that takes hits: none, a part (ask the surrogate), or all of its bounds. */
export const HIT_TEST_OPAQUENESS = ['transparent', 'mixed', 'opaque'] as const;

/** A changed tile: its place in the grid of the layer's tiles, and the region to draw again. */
const tileUpdate = record({
  index_x: uint(0xffff),
  index_y: uint(0xffff),
  /** In px of the layer; empty: nothing to draw again, but its colour may be new. */
  invalidation_region: region,
  /** The whole tile has this colour: nothing else is sent for it. */
  solid_color: optional(color),
});
export type TileUpdate = ValueOf<typeof tileUpdate>;

/** An animated image on the layer. */
const animatedImage = checked(
  record({
    paint_image_id: id,
    frame_count: checked(uint(MAX_IMAGE_FRAMES), 'a count of frames', (count) => count > 0),
    /** Number of repetitions after the first time; -1: forever. */
    repetition_count: checked(int, 'a count, or -1', (count) => count >= -1),
    /** Durations of frames, in ms: the last number applies to all further frames, since most images need but one. */
    frame_duration: list(uint(0xffffffff), MAX_IMAGE_FRAMES),
  }),
  'durations for its frames',
  (image) => image.frame_duration.length > 0 && image.frame_duration.length <= image.frame_count,
);
export type AnimatedImage = ValueOf<typeof animatedImage>;

/** Properties of a scrollbar's layer, for drawing and moving it. */
const scrollbar = record({
  orientation: choice(['horizontal', 'vertical']),
  /** The scroller that it scrolls. */
  scroll_element_id: id,
  /** Whether it is at the left edge, as in right-to-left pages. */
  is_left_side: flag,
  /** Whether it overlays the contents and takes no room. */
  is_overlay: flag,
  /** In px of the layer. Absent in a bar without buttons. */
  track_rect: rect,
  thumb_rect: rect,
  back_button_rect: optional(rect),
  forward_button_rect: optional(rect),
  /** Colour of the thumb, if it is drawn in one colour. */
  color: optional(color),
});
export type Scrollbar = ValueOf<typeof scrollbar>;

const touchArea = record({ touch_action: bits(TOUCH_ACTION), region });

/** Changes of a layer. Missing fields are unchanged; fields that change in every update are not optional, which is cheaper. */
export const layerUpdate = record({
  id,
  type: layerType,
  flags: bits(LAYER_FLAGS),
  pointer_events_none: flag,
  bounds: optional(size),
  offset_to_transform_parent: optional(point),
  background_color: optional(color),
  /** Its nodes in the property trees. */
  tree_indexes: optional(record({ transform: id, scroll: nodeOrNone, clip: nodeOrNone, effect: nodeOrNone })),
  /** The node of the page that it was created for. */
  node_id: optional(id),
  /** Areas in which only the surrogate's main thread can scroll. In px of the layer, like the next two. */
  non_fast_scrollable_rects: optional(region),
  /** Areas with wheel listeners that may prevent the default. */
  wheel_event_region: optional(region),
  /** Areas that restrict touch actions. */
  touch_action_region: optional(list(touchArea, MAX_TOUCH_AREAS)),
  element_id: optional(id),
  hit_test_opaqueness: optional(choice(HIT_TEST_OPAQUENESS)),
  tile_updates: optional(list(tileUpdate, MAX_TILE_UPDATES)),
  animated_images: optional(list(animatedImage, MAX_ANIMATED_IMAGES)),
  /** Size of the texture of a video, canvas or plugin, which is stretched over the bounds. */
  texture_bounds: optional(size),
  scrollbar: optional(scrollbar),
  /** The frame that a SurfaceLayer shows: the same id as in its commits. */
  frame_sink_id: optional(id),
});
export type LayerUpdate = ValueOf<typeof layerUpdate>;

/** Creation or removal of a layer. Both have all fields, so that a log of them is readable. */
const mutationBody = record({
  layer_id: id,
  layer_type: layerType,
  /** The parent layer; none for the root. */
  parent_id: nodeOrNone,
  /** Its index among the children of its parent: 0 is the lowest. */
  sibling_index: uint(MAX_LAYERS),
});
export const layerMutation = oneOf({ add: { tag: 1, body: mutationBody }, remove: { tag: 2, body: mutationBody } });
export type LayerMutation = ValueOf<typeof layerMutation>;
