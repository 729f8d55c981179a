import type { HostScope } from '../../../host/plugin.ts';
import { fontLoaded } from '../protocol.ts';

/** Longest address of a font that is passed on, in UTF-16 units: it may be a data address. */
const MAX_ADDRESS_UNITS = 2 * 1024 * 1024;

/** Tells page halves which fonts Chromium has loaded: a face that script has made does not say where it comes from. */
export function tellLoadedFonts({ cdp, frames, page }: Pick<HostScope, 'cdp' | 'frames' | 'page'>): void {
  cdp.on('CSS.fontsUpdated', ({ font }) => {
    if (!font || font.src === '' || font.src.length > MAX_ADDRESS_UNITS) return;
    const { fontFamily, fontStyle, fontWeight, fontStretch, unicodeRange, src } = font;
    const told = {
      family: fontFamily,
      style: fontStyle,
      weight: fontWeight,
      stretch: fontStretch,
      range: unicodeRange,
    };
    // The event does not say in which frame.
    for (const { id } of frames.all()) page.send(id, fontLoaded, { ...told, source: src });
  });
}
