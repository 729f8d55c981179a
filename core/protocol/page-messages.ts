import * as v from 'valibot';
import { id, integer, px, text } from './atoms.ts';
import { targetSchema } from './target.ts';
import { message, nothing } from './message.ts';

/** The name of the one global (`PageGlobal` in core/contracts) of the page halves' world. */
export const PAGE_GLOBAL = 'vitrinePage';
/** The name of the binding that takes a packet as JSON from a page half to the host. */
export const PAGE_BINDING = 'vitrineSend';

/** A kernel has started in a frame's document: the first message of its world. */
export const pageHello = message('page.hello', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({
    epoch: integer,
    url: text(2_097_152),
    readyState: v.picklist(['loading', 'interactive', 'complete']),
  }),
});

/** The document has got past its beginning: its first content has been sent, and no script holds up what comes. */
export const pageBegun = message('page.begun', { direction: 'page-to-host', lane: 'control', params: v.object({}) });

/** A line of a page half's log. */
export const pageLog = message('page.log', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({
    plugin: text(50),
    level: v.picklist(['debug', 'info', 'warn', 'error']),
    message: text(2000),
    data: v.optional(v.unknown()),
  }),
});

/** The plugins that the tab has, by id: page halves of others end, and do not come back in this document. */
export const pagePlugins = message('page.plugins', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ ids: v.array(text(50)) }),
});

/**
 * Where a target is in the frame's viewport now, in CSS px; scrolled into view if it was outside. `hit` says whether what lies
 * there is the target's node, something inside it or what it is inline in; `node` is what lies there (0: nothing that was sent).
 */
export const resolveTarget = message('page.resolve-target', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema }),
  result: v.object({ x: px, y: px, hit: v.boolean(), node: id }),
  errors: ['no-target'],
});

/** The person has scrolled the target's scroller to these offsets, in CSS px; without a node, the document's own. */
export const scrollTo = message('page.scroll-to', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema, left: px, top: px }),
});

/**
 * The person has given a control this value: it is set as the person's browser would, with `input` and `change` events. A
 * checkbox or radio button takes `true` or `false`, a select the indices of its selected options, joined by commas.
 */
export const setValue = message('page.set-value', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema, value: text(1_000_000) }),
  result: nothing,
  errors: ['no-target'],
});

/** Gives the target the focus without scrolling; without a node, takes it away from what has it. */
export const focusTarget = message('page.focus', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema }),
  result: nothing,
  errors: ['no-target'],
});

/** All messages between the host's core and the kernel of a page half; they go by name. */
export const PAGE_MESSAGES = [
  pageHello,
  pageBegun,
  pageLog,
  pagePlugins,
  resolveTarget,
  scrollTo,
  setValue,
  focusTarget,
];
