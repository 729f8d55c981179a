import { describe, expect, it } from 'vitest';
import { commitForm } from '../commit.ts';
import * as flags from '../flags.ts';
import type { Commit } from '../commit.ts';
import { faultText } from './fault-code.ts';
import { EMPTY_COMMIT, FULL_COMMIT, FULL_LAYER } from './full-commit.ts';

const { transform, scroll, effect } = FULL_COMMIT.trees;

/** Commits with the given flags of one kind. */
const WITH: Record<string, (value: number) => Commit> = {
  COMMIT_FLAGS: (value) => ({ ...EMPTY_COMMIT, flags: value }),
  CONFIG_FLAGS: (value) => ({ ...EMPTY_COMMIT, config: { ...FULL_COMMIT.config, flags: value } }),
  LISTENER_FLAGS: (value) => ({ ...EMPTY_COMMIT, wheel_listeners: value, touch_listeners: value }),
  LAYER_FLAGS: (value) => ({ ...EMPTY_COMMIT, layer_updates: [{ ...FULL_LAYER, flags: value }] }),
  TOUCH_ACTION: (value) => ({
    ...EMPTY_COMMIT,
    layer_updates: [{ ...FULL_LAYER, touch_action_region: [{ touch_action: value, region: [] }] }],
  }),
  TRANSFORM_FLAGS: (value) => {
    const [first] = transform.mutations;
    const mutations = [{ ...first, node: { ...first.node, flags: value } }];
    return { ...EMPTY_COMMIT, trees: { transform: { node_count: 1, mutations } } };
  },
  SCROLL_FLAGS: (value) => {
    const [first] = scroll.mutations;
    const mutations = [{ ...first, node: { ...first.node, flags: value } }];
    return { ...EMPTY_COMMIT, trees: { scroll: { node_count: 1, mutations } } };
  },
  EFFECT_FLAGS: (value) => {
    const [first] = effect.mutations;
    const mutations = [{ ...first, node: { ...first.node, flags: value } }];
    return { ...EMPTY_COMMIT, trees: { effect: { node_count: 1, mutations } } };
  },
};

describe('the enumerations that host and client share', () => {
  it('have their fixed values, each bit with one meaning', () => {
    expect({ ...flags }).toEqual({
      COMMIT_FLAGS: { awaitsTiles: 1, newDocument: 2, animating: 4 },
      CONFIG_FLAGS: { localScroll: 1, nativeVideo: 2, elementTiles: 4 },
      LISTENER_FLAGS: { passive: 1, blocking: 2 },
      LAYER_FLAGS: { drawsContent: 1, invisible: 2, opaque: 4, backfaceHidden: 8 },
      TOUCH_ACTION: {
        ...{ none: 0, panLeft: 1, panRight: 2, panX: 3, panUp: 4, panDown: 8, panY: 12, pan: 15 },
        ...{ pinchZoom: 16, manipulation: 31, doubleTapZoom: 32, auto: 63 },
      },
      TRANSFORM_FLAGS: { flattens: 1, animates: 2, movedByInnerBounds: 4, movedByOuterBounds: 8 },
      SCROLL_FLAGS: { horizontal: 1, vertical: 2, innerViewport: 4, outerViewport: 8, mainThread: 16 },
      EFFECT_FLAGS: { isolates: 1, animates: 2, hidden: 4 },
    });
  });

  it.each(Object.keys(flags))('travel with every set of their bits, and with no other: %s', (name) => {
    const all = Object.values(flags[name as keyof typeof flags]).reduce((mask: number, bit) => mask | bit, 0);
    for (let value = 0; value <= all; value++) {
      const commit = WITH[name]!(value);
      expect(commitForm.decode(commitForm.encode(commit))).toEqual(commit);
    }
    for (const value of [all + 1, -1, 0.5, 2 ** 32])
      expect(faultText(() => commitForm.encode(WITH[name]!(value)))).toMatch(/(flags|listeners|touch_action): not/);
    // One more bit in otherwise valid bytes: the flags are the first place where the two differ.
    const [none, some] = [0, 1].map((value) => commitForm.encode(WITH[name]!(value)));
    const at = none!.findIndex((byte, index) => byte !== some![index]);
    expect(faultText(() => commitForm.decode(none!.with(at, all + 1)))).toMatch(/(flags|listeners|touch_action): /);
  });
});
