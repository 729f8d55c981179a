/**
 * Messages keep their order within a lane and may overtake each other between lanes, so that a large picture never holds
 * up a key press. The number is the wire value.
 */
export const LANES = {
  /** The session itself: navigation state, policy, plugins. */
  control: 0,
  /** The mirrored page. */
  view: 1,
  /** What the person does, and what answers it. */
  input: 2,
  /** Features. */
  feature: 3,
  /** Large bodies: pictures, files. */
  bulk: 4,
} as const;

export type Lane = keyof typeof LANES;

const NAMES = Object.keys(LANES) as readonly Lane[]; // the literal's own keys

/** The lane of a wire value, or undefined when there is none. */
export function laneOf(value: number): Lane | undefined {
  return NAMES[value];
}
