/**
 * Messages keep their order within a lane and may overtake each other between lanes, so that a large picture never delays a key press. The
 * number is the wire value.
 */
export const LANES = {
  /** The session itself: navigation state, policy, plugins. */
  control: 0,
  /** The mirrored page. */
  view: 1,
  /** Input of the person, and the answers to it. */
  input: 2,
  /** Features. */
  feature: 3,
  /** Large bodies: pictures, files. */
  bulk: 4,
} as const;

export type Lane = keyof typeof LANES;

const NAMES = Object.keys(LANES) as readonly Lane[]; // the keys of the literal

/** The lane of a wire value; undefined for an unknown value. */
export function laneOf(value: number): Lane | undefined {
  return NAMES[value];
}
