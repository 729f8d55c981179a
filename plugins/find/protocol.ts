import * as v from 'valibot';
import { finite, id, integer, text, upTo } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Longest text that is searched for, in UTF-16 units. */
export const MOST_QUERY = 1000;
/** Most matches of a frame that are shown at a time, around those that are in view. */
export const MOST_SHOWN = 1000;
/** Most matches that are counted in one frame: it has no more text than that. */
const MOST_MATCHES = 16 * 1024 * 1024;
/** Numbers that tell of one match: node and offset of its start, node and offset of its end. */
const MATCH_NUMBERS = 4;

const matches = upTo(MOST_MATCHES);
const kind = v.picklist(['new', 'next', 'prev']);
const reason = v.picklist(['clear', 'keep', 'activate']);
const words = text(MOST_QUERY);
const query = { text: words, matchCase: v.boolean(), wholeWords: v.boolean(), matchDiacritics: v.boolean() };
const rect = v.object({ x: finite, y: finite, width: finite, height: finite });
const numbers = (most: number): v.GenericSchema<number[]> => v.pipe(v.array(id), v.maxLength(most * MATCH_NUMBERS));
/** The matches of a frame that are shown, of an epoch of the mirror; `active` is empty, or the one among them that the person is at. */
const shown = { epoch: integer, ends: numbers(MOST_SHOWN), active: numbers(1) };

/** A box in the viewport of a frame, in CSS px. */
export type Rect = Readonly<v.InferOutput<typeof rect>>;
/** How a search ends: the matches go, the active one stays selected, or what it is part of is pressed as well. */
export type EndReason = v.InferOutput<typeof reason>;
/** Requests to the bar by a shortcut. */
export type StartKind = v.InferOutput<typeof kind>;

/** The person has pressed a shortcut of the search, which the page has left to the browser; `text` is what is selected. */
export const pageAsked = message('find.page-asked', {
  direction: 'page-to-host',
  params: v.object({ kind, text: words }),
});

/** Searches a frame. Its number goes with all that is said of this search; another one ends it. */
export const pageSearch = message('find.page-search', {
  direction: 'host-to-page',
  params: v.object({ search: id, ...query }),
  result: v.object({ count: matches, isCut: v.boolean(), first: matches }),
  errors: ['find-over'],
});

/** Makes a match of a frame the active one and brings it into view; none with -1. Answers where it is then, if it is there. */
export const pageShow = message('find.page-show', {
  direction: 'host-to-page',
  params: v.object({ search: id, index: integer }),
  result: v.object({ rect: v.nullable(rect) }),
});

/** Brings a box of a nested frame, in its viewport, into view; answers where that is in this frame's. */
export const pageBring = message('find.page-bring', {
  direction: 'host-to-page',
  params: v.object({ epoch: integer, node: id, rect }),
  result: v.object({ rect: v.nullable(rect) }),
});

/** Ends the search in a frame. Answers whether Enter is to press what the active match is part of. */
export const pageEnd = message('find.page-end', {
  direction: 'host-to-page',
  params: v.object({ reason }),
  result: v.object({ isPressable: v.boolean() }),
});

/** The page has changed, and so have the matches of a frame. */
export const pageChanged = message('find.page-changed', {
  direction: 'page-to-host',
  params: v.object({ search: id, count: matches, isCut: v.boolean(), active: v.pipe(integer, v.minValue(-1)) }),
});

/** The matches that a frame has shown, as the mirror knows them after its batch `seq`. */
export const pageShown = message('find.page-shown', {
  direction: 'page-to-host',
  params: v.object({ search: id, seq: id, ...shown }),
});

/** The person searches: anew, or goes on to the next match, or the one before. */
export const searchQuery = message('search_query', {
  direction: 'client-to-host',
  params: v.object({ ...query, forward: v.boolean(), continue: v.boolean() }),
});

/** The search is over. */
export const searchEnd = message('search_end', { direction: 'client-to-host', params: v.object({ reason }) });

/** Opens the bar, with a text to begin with, or has it go on. */
export const searchStart = message('search_start', {
  direction: 'host-to-client',
  params: v.object({ kind, text: words }),
});

/** Which match is the active one, from 1, or 0; how many there are; whether there is text that was not searched, or not yet. */
export const searchReply = message('search_reply', {
  direction: 'host-to-client',
  params: v.object({ count: id, total: id, isCut: v.boolean(), isSearching: v.boolean() }),
});

/** The matches of a frame that are shown. */
export const searchMatches = message('find.matches', {
  direction: 'host-to-client',
  params: v.object({ frame: id, ...shown }),
});

/** No match is shown any more. */
export const searchCleared = message('find.cleared', { direction: 'host-to-client', params: nothing });
