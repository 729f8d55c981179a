import { message, nothing } from 'vitrine/protocol/message';
import * as v from 'vitrine/protocol/schema';

const count = v.object({ links: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** The number of links of the page has changed. */
export const linksFound = message('my-plugin.found', { direction: 'page-to-host', params: count });

/** Number of links to show. */
export const linksChanged = message('my-plugin.changed', { direction: 'host-to-client', params: count });

/** The person requests the number of links. */
export const countLinks = message('my-plugin.count', { direction: 'client-to-host', params: nothing, result: count });

/** Requests a count of links from the page. */
export const countNow = message('my-plugin.count-now', { direction: 'host-to-page', params: nothing, result: count });
