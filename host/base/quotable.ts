/** Controls, among them those that change the direction of what follows, and line ends. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A site's own words for a question of ours: one line, without controls, cut. In linear time on hostile text. */
export function quotable(words: string, max: number): string {
  return words.slice(0, max).replace(CONTROLS, ' ').trim().toWellFormed();
}
