import { bits, checked, choice, id, int, list, nodeOrNone, uint } from './codec.ts';
import type { ValueOf } from './codec.ts';
import { LAYER_FLAGS, TOUCH_ACTION } from './flags.ts';
import { color, point, rect, region, size } from './geometry.ts';
import { flag, oneOf, optional, record } from './record.ts';

/** Largest number of layer mutations, and of layer updates, in a commit. */
export const MAX_LAYERS = 16_384;
/** Largest number of tile updates of one layer. */
export const MAX_TILE_UPDATES = 16_384;
/** Largest number of animated images on one layer. */
export const MAX_ANIMATED_IMAGES = 1024;
/** Largest number of frames of an animated image. */
export const MAX_IMAGE_FRAMES = 65_536;
/** Largest number of areas with a touch action of their own on one layer. */
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

/** What of a layer takes a hit: nothing, some of it (ask the surrogate), or all of its bounds. */
export const HIT_TEST_OPAQUENESS = ['transparent', 'mixed', 'opaque'] as const;

/** A tile that is another now: its place in the grid of the layer's tiles, and what of it is to be drawn again. */
const tileUpdate = record({
  index_x: uint(0xffff),
  index_y: uint(0xffff),
  /** In px of the layer; empty: nothing is, but its colour may be new. */
  invalidation_region: region,
  /** All of the tile has this colour: nothing else comes for it. */
  solid_color: optional(color),
});
export type TileUpdate = ValueOf<typeof tileUpdate>;

/** An image on the layer that moves by itself. */
const animatedImage = checked(
  record({
    paint_image_id: id,
    frame_count: checked(uint(MAX_IMAGE_FRAMES), 'a count of frames', (count) => count > 0),
    /** How often it is shown again after the first time; -1: for ever. */
    repetition_count: checked(int, 'a count, or -1', (count) => count >= -1),
    /** How long frames are shown, in ms: the last number holds for all frames that have none of their own, since most images need but one. */
    frame_duration: list(uint(0xffffffff), MAX_IMAGE_FRAMES),
  }),
  'durations for its frames',
  (image) => image.frame_duration.length > 0 && image.frame_duration.length <= image.frame_count,
);
export type AnimatedImage = ValueOf<typeof animatedImage>;

/** What the layer of a scrollbar is drawn and moved by. */
const scrollbar = record({
  orientation: choice(['horizontal', 'vertical']),
  /** What it scrolls. */
  scroll_element_id: id,
  /** Stands at the left edge, as in a page written from right to left. */
  is_left_side: flag,
  /** Lies over the contents and takes no room. */
  is_overlay: flag,
  /** In px of the layer. A bar without buttons leaves them out. */
  track_rect: rect,
  thumb_rect: rect,
  back_button_rect: optional(rect),
  forward_button_rect: optional(rect),
  /** Of the thumb, where it is drawn in one colour. */
  color: optional(color),
});
export type Scrollbar = ValueOf<typeof scrollbar>;

const touchArea = record({ touch_action: bits(TOUCH_ACTION), region });

/** What is new of a layer. What is left out is as it was; what every update says costs less than saying whether it does. */
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
  /** The node of the page that it was made for. */
  node_id: optional(id),
  /** Areas in which only the surrogate's main thread can scroll, in px of the layer, as the other two. */
  non_fast_scrollable_rects: optional(region),
  /** Areas with wheel listeners that may prevent the default. */
  wheel_event_region: optional(region),
  /** Areas in which touches do not do all that they can elsewhere. */
  touch_action_region: optional(list(touchArea, MAX_TOUCH_AREAS)),
  element_id: optional(id),
  hit_test_opaqueness: optional(choice(HIT_TEST_OPAQUENESS)),
  tile_updates: optional(list(tileUpdate, MAX_TILE_UPDATES)),
  animated_images: optional(list(animatedImage, MAX_ANIMATED_IMAGES)),
  /** Size of the texture of a video, canvas or plugin, which is stretched over the bounds. */
  texture_bounds: optional(size),
  scrollbar: optional(scrollbar),
  /** The frame that a SurfaceLayer shows: that of its commits. */
  frame_sink_id: optional(id),
});
export type LayerUpdate = ValueOf<typeof layerUpdate>;

/** A layer comes or goes. Both say all that there is to say, so that a log of them can be read. */
const mutationBody = record({
  layer_id: id,
  layer_type: layerType,
  /** The layer that it lies on; none for the root. */
  parent_id: nodeOrNone,
  /** Its place among the layers that lie on the same: 0 is the lowest. */
  sibling_index: uint(MAX_LAYERS),
});
export const layerMutation = oneOf({ add: { tag: 1, body: mutationBody }, remove: { tag: 2, body: mutationBody } });
export type LayerMutation = ValueOf<typeof layerMutation>;
