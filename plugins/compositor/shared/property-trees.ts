import { bits, checked, choice, float32, id, list, nodeOrNone, uint } from './codec.ts';
import type { Codec, ValueOf } from './codec.ts';
import { EFFECT_FLAGS, SCROLL_FLAGS, TRANSFORM_FLAGS } from './flags.ts';
import { matrix, point, rect, size } from './geometry.ts';
import { oneOf, optional, record } from './record.ts';
import type { Unknown } from './record.ts';

/** Maximum number of nodes in a tree, and of mutations of one in a commit. */
export const MAX_TREE_NODES = 16_384;

/** Effects of scrolling past the end of a scroller (CSS `overscroll-behavior`). */
export const OVERSCROLL_BEHAVIORS = ['none', 'auto', 'contain'] as const;

/** Blend modes of an effect (CSS `mix-blend-mode`); `destination-in` draws a mask. */
export const BLEND_MODES = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
  'plus-lighter',
  'destination-in',
] as const;

/** Constraints of a sticky box. Geometry is given as without stickiness, as the surrogate reports it. */
const stickyPosition = record({
  /** Its scroller, in the scroll tree. */
  scroll_id: id,
  /** Minimum distances to the edges of the scroller. */
  left: optional(float32),
  right: optional(float32),
  top: optional(float32),
  bottom: optional(float32),
  sticky_box_rect: rect,
  containing_block_rect: rect,
  /** Transform nodes of enclosing sticky boxes that also move it. */
  nearest_sticky_box: nodeOrNone,
  nearest_containing_block: nodeOrNone,
});
export type StickyPosition = ValueOf<typeof stickyPosition>;

const transformNode = record({
  parent_id: nodeOrNone,
  local: matrix,
  origin: record({ x: float32, y: float32, z: float32 }),
  post_translation: point,
  flags: bits(TRANSFORM_FLAGS),
  sticky_position: optional(stickyPosition),
});
/** A coordinate space. */
export type TransformNode = ValueOf<typeof transformNode>;

const scrollNode = record({
  parent_id: nodeOrNone,
  transform_id: id,
  element_id: id,
  container_bounds: size,
  bounds: size,
  overscroll_behavior_x: choice(OVERSCROLL_BEHAVIORS),
  overscroll_behavior_y: choice(OVERSCROLL_BEHAVIORS),
  flags: bits(SCROLL_FLAGS),
});
/** A scroller: its own size and that of its contents, in px of its space. */
export type ScrollNode = ValueOf<typeof scrollNode>;

const clipNode = record({ parent_id: nodeOrNone, transform_id: id, clip_rect: rect });
/** A clip: nothing is drawn outside of it. */
export type ClipNode = ValueOf<typeof clipNode>;

const roundedMask = record({ rect, top_left: point, top_right: point, bottom_right: point, bottom_left: point });
/** A rectangle with the radii of its corners. */
export type RoundedMask = ValueOf<typeof roundedMask>;

const effectNode = record({
  parent_id: nodeOrNone,
  opacity: checked(float32, 'an opacity', (value) => value >= 0 && value <= 1),
  blend_mode: choice(BLEND_MODES),
  transform_id: id,
  clip_id: nodeOrNone,
  /** The effect whose surface it is drawn into. */
  target_id: nodeOrNone,
  rounded_corner_mask: optional(roundedMask),
  flags: bits(EFFECT_FLAGS),
});
/** Content that is drawn as one picture, and its effects. */
export type EffectNode = ValueOf<typeof effectNode>;

/** A new or changed node, with all its fields: most of them change together, and a partial one would have to list them. */
export interface SetNode<N> {
  readonly type: 'set';
  readonly id: number;
  readonly node: N;
}
/** A removed node. */
export interface RemoveNode {
  readonly type: 'remove';
  readonly id: number;
}
/** Changes of a tree. */
export interface TreeChange<N> {
  /** Number of nodes after the mutations: if it differs, the reader is out of sync, and requests the full tree. */
  readonly node_count: number;
  readonly mutations: readonly (SetNode<N> | RemoveNode | Unknown)[];
}

/**
 * Ids of nodes grow with their depth: a parent has a smaller one than its children. So no input can describe a cycle, and one pass by
 * ascending id, without recursion, visits parents first. Ids are never used again within a tree.
 */
function tree<N extends { readonly parent_id: number }>(node: Codec<N>): Codec<TreeChange<N>> {
  const setNode: Codec<{ readonly id: number; readonly node: N }> = checked(
    record({ id, node }),
    'a node with a larger id than its parent',
    (change) => change.node.parent_id < change.id,
  );
  const mutation = oneOf({ set: { tag: 1, body: setNode }, remove: { tag: 2, body: record({ id }) } });
  return record({ node_count: uint(MAX_TREE_NODES), mutations: list(mutation, MAX_TREE_NODES) });
}

/** Changes of each of the trees. */
export const propertyTrees = record({
  transform: optional(tree(transformNode)),
  scroll: optional(tree(scrollNode)),
  clip: optional(tree(clipNode)),
  effect: optional(tree(effectNode)),
});
export type PropertyTrees = ValueOf<typeof propertyTrees>;
