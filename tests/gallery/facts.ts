import type { Frame } from 'playwright';

/** Properties of the style of a part that are compared: the same on every machine, whatever fonts it has. */
const PROPERTIES = [
  'color',
  'backgroundColor',
  'borderTopColor',
  'borderTopWidth',
  'borderTopLeftRadius',
  'outlineStyle',
  'fontSize',
  'fontWeight',
  'paddingInlineStart',
  'paddingBlockStart',
  'boxShadow',
] as const;

/** Style of each part by its class and kind. */
export type Styles = Record<string, string>;

/** Reads the style of all parts of the kit in a document. */
export function stylesOf(frame: Frame): Promise<Styles> {
  return frame.evaluate((properties) => {
    const styles: Styles = {};
    for (const element of document.querySelectorAll('[class^="vitrine-"], #vitrine-error, #vitrine-notice')) {
      const { id, dataset, localName } = element as HTMLElement; // none is of SVG but icons, which have these too
      const [name = id] = element.classList;
      if (
        element.matches(
          ':focus, :hover, .vitrine-slot, .vitrine-icon, [aria-expanded], .vitrine-dialog[aria-disabled]',
        ) ||
        localName === 'svg'
      )
        continue;
      const state = ['aria-pressed', 'aria-disabled', 'disabled'].filter((attribute) =>
        element.hasAttribute(attribute),
      );
      const key = [name, dataset['kind'], ...state].filter(Boolean).join(' ');
      const style = getComputedStyle(element);
      styles[key] ??= properties.map((property) => style[property]).join(' | ');
    }
    return styles;
  }, PROPERTIES);
}

/** Faults of the layout of a document: parts that stick out of the window, and targets that are too small to press. */
export function layoutFaults(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const faults: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`scrolls sideways: ${scrollWidth} in ${clientWidth}`);
    for (const element of document.querySelectorAll<HTMLElement>(
      ':is(#vitrine-overlay, .vitrine-backdrop, #vitrine-error) :is(button, input, select, h1, h2, [class^="vitrine-"])',
    )) {
      if (!element.checkVisibility() || element.matches('.vitrine-unseen, .vitrine-progress *')) continue;
      const { left, right, width, height } = element.getBoundingClientRect();
      const what = `${element.localName}.${element.className} ${element.textContent.slice(0, 20)}`;
      if (left < -0.5 || right > clientWidth + 0.5) faults.push(`${what} sticks out: ${left} to ${right}`);
      const isTarget = element.matches('button, select, input:not([type=checkbox])');
      if (isTarget && (width < 24 || height < 24)) faults.push(`${what} is too small: ${width} by ${height}`);
    }
    return faults;
  });
}

/** A box within its surface: distance from the start of the line, and width, in whole px. */
type Boxes = readonly (readonly [what: string, start: number, width: number])[];

/** Reads boxes of the parts of a surface, measured from the side on which its lines start. Mirrored, they are the same. */
export function boxesOf(frame: Frame, part: string): Promise<Boxes> {
  return frame.evaluate((selector) => {
    const surface = document.querySelector(selector)?.closest('.vitrine-dialog, [role=menu], [class^="vitrine-"]');
    if (!surface) return [];
    const outer = surface.getBoundingClientRect();
    const isRtl = getComputedStyle(surface).direction === 'rtl';
    return [...surface.querySelectorAll<HTMLElement>('button, [class^="vitrine-"]')]
      .filter((element) => !element.matches('[dir] *, .vitrine-progress *, .vitrine-unseen, bdi *'))
      .map((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const start = isRtl ? outer.right - right : left - outer.left;
        return [`${element.localName}.${element.className}`, Math.round(start), Math.round(width)] as const;
      });
  }, part);
}
