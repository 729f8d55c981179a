import { message, nothing } from 'vitrine/protocol/message';
import * as v from 'vitrine/protocol/schema';

const count = v.object({ links: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** The page has another number of links now. */
export const linksFound = message('my-plugin.found', { direction: 'page-to-host', params: count });

/** What is to be shown. */
export const linksChanged = message('my-plugin.changed', { direction: 'host-to-client', params: count });

/** The person asks for the number of links. */
export const countLinks = message('my-plugin.count', { direction: 'client-to-host', params: nothing, result: count });

/** Has the page count its links now. */
export const countNow = message('my-plugin.count-now', { direction: 'host-to-page', params: nothing, result: count });
