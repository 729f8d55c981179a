import * as v from 'valibot';

/** Largest size and position of a window, in CSS px. */
const MAX_PX = 100_000;
const px = v.pipe(v.number(), v.safeInteger(), v.minValue(-MAX_PX), v.maxValue(MAX_PX));
const size = v.pipe(px, v.minValue(0));
const flag = v.boolean();

/** Features of a window that reach the person's browser (M-024); others are dropped. */
const features = v.partial(
  v.object({
    width: size,
    height: size,
    left: px,
    top: px,
    menubar: flag,
    toolbar: flag,
    location: flag,
    status: flag,
    fullscreen: flag,
    scrollbars: flag,
    resizable: flag,
  }),
);

/**
 * The features in JSON, as `window.open` takes them: `width=300,location=0`. Empty: the window is a tab.
 *
 * @throws ValiError where it is no JSON, or a feature has a value of another kind (M-024).
 */
export function featureString(json: string): string {
  const known = v.parse(v.pipe(v.string(), v.parseJson(), features), json);
  return Object.entries(known)
    .map(([name, value]) => `${name}=${Number(value)}`)
    .join(',');
}

/** Chromium's list of the features of a window as JSON: an empty object for a tab. */
export function featureJson(list: readonly string[]): string {
  if (list.includes('toolbar')) return '{}'; // it opens as a tab: Chromium has dropped the rest
  const entries: [string, number | boolean][] = [['location', false]];
  for (const entry of list) {
    const [, name = '', value = ''] = /^([a-z]{1,20})(?:=(-?\d{1,6}))?$/.exec(entry) ?? [];
    if (name !== '') entries.push([name, value === '' ? true : Number(value)]);
  }
  return JSON.stringify(Object.fromEntries(entries.slice(0, 20)));
}
