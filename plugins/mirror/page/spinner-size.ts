import { dom } from '../../../core/page.ts';

/** HTML's valid floating-point number. */
const NUMBER = /^(-?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Powers of ten past these are no numbers there. */
const MAX_EXPONENT = 1023;

/** What a number takes to write, in characters: before the point, with the sign, and behind it. */
type Digits = readonly [before: number, behind: number];

/**
 * The `size` that gives a text input the length of a number input, as Chromium finds it (`NumberInputType::SizeShouldIncludeDecoration`):
 * room for the longest of its bounds and its step. Empty where it has the length of any input: it has no two bounds, or no steps.
 */
export function spinnerSize(element: HTMLInputElement): string {
  const step = dom.attribute(element, 'step') ?? '';
  const min = digitsOf(dom.attribute(element, 'min') ?? '');
  const max = digitsOf(dom.attribute(element, 'max') ?? '');
  if (!min || !max || step.toLowerCase() === 'any') return '';
  const all = [min, max, digitsOf(step) ?? [1, 0]];
  const before = Math.max(...all.map(([digits]) => digits));
  const behind = Math.max(...all.map(([, digits]) => digits));
  return String(before + behind + (behind > 0 ? 1 : 0));
}

function digitsOf(text: string): Digits | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if ((whole === '' && fraction === '') || Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined;
  const count = (whole + fraction).replace(/^0+(?=.)/, '').length;
  const power = Number(exponent) - fraction.length;
  if (power >= 0) return [sign.length + count, 0];
  const before = power + count;
  return before > 0 ? [sign.length + before, count - before] : [sign.length + 1, count - before];
}
