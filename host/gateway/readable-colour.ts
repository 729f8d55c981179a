/** Colours that can be read on each other, by the contrast of WCAG 2. */
type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const STEPS = 20;

/** Reads #RGB or #RRGGBB, which is what the schema of the policy lets through. */
function rgbOf(colour: string): Rgb {
  const digits = colour.slice(1);
  const hex = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is easier to read on a colour. */
function poleOf(ground: Rgb): Rgb {
  return contrast(BLACK, ground) >= contrast(WHITE, ground) ? BLACK : WHITE;
}

/** Whether text on a colour should be white. */
export function isDark(colour: string): boolean {
  return poleOf(rgbOf(colour)) === WHITE;
}

/** The colour for text on another: black or white. */
export function textOn(colour: string): string {
  return hexOf(poleOf(rgbOf(colour)));
}

/** Mixes two colours: `share` of the first. */
export function mix(colour: string, other: string, share: number): string {
  const [one, two] = [rgbOf(colour), rgbOf(other)];
  return hexOf(one.map((part, i) => part * share + (two[i] ?? 0) * (1 - share)) as unknown as Rgb); // of as many parts
}

/** A colour, or the nearest one towards black or white that has this contrast with its ground. Of 4.5 there always is one. */
export function readable(colour: string, ground: string, ratio: number): string {
  const pole = hexOf(poleOf(rgbOf(ground)));
  for (let step = 0; step < STEPS; step += 1) {
    const near = mix(pole, colour, step / STEPS);
    if (contrast(rgbOf(near), rgbOf(ground)) >= ratio) return near;
  }
  return pole;
}
