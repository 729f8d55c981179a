import { isHtml, read } from './dom.ts';
import type { Realm } from './realm.ts';

/** The client events of pictures that the host has, and the person does not see. */
export type PictureFault = 'tc-imgreq-failed' | 'tc-imgreq-undecodable';

/**
 * Tells of images of the view that are asked of the host and not shown: because no answer has come, or none but an error of the host;
 * or because the browser cannot read the picture. One that the site does not have, either, is no fault.
 */
export function watchPictures(realm: Realm, signal: AbortSignal, report: (fault: PictureFault) => void): void {
  const { document, window } = realm;
  document.addEventListener(
    'error',
    ({ target }) => {
      const image = target as Element; // what is listened for on a document comes from elements
      if (!isHtml(image, 'img')) return;
      const address = read(HTMLImageElement, image as HTMLImageElement, 'currentSrc');
      if (!address.startsWith(`${window.location.origin}/c/i/`)) return;
      const [timing] = window.performance.getEntriesByName(address).slice(-1) as PerformanceResourceTiming[]; // of a resource
      const status = timing?.responseStatus ?? 0;
      if (status === 0 || status >= 500) report('tc-imgreq-failed');
      else if (status === 200) report('tc-imgreq-undecodable');
    },
    { capture: true, signal },
  );
}
