/** The client events for pictures that the host has, and the person does not see. */
export type PictureFault = 'tc-imgreq-failed' | 'tc-imgreq-undecodable';

/**
 * Returns the fault of a picture of the view that is not shown, by its requested address: the host has not answered, or has answered
 * with an error of its own; or the browser cannot decode the picture. A picture that the site itself lacks is no fault.
 */
export function pictureFault(window: Window, address: string): PictureFault | undefined {
  if (!address.startsWith(`${window.location.origin}/c/i/`)) return undefined;
  const [timing] = window.performance.getEntriesByName(address).slice(-1) as PerformanceResourceTiming[]; // of a resource
  const status = timing?.responseStatus ?? 0;
  if (status === 0 || status >= 500) return 'tc-imgreq-failed';
  return status === 200 ? 'tc-imgreq-undecodable' : undefined;
}
