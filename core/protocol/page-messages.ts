import * as v from 'valibot';
import { id, px, text } from './atoms.ts';
import { editMeansSchema } from './edit-means.ts';
import { targetSchema } from './target.ts';
import { message, nothing } from './message.ts';

/** Name of the only global (`PageGlobal` in core/contracts) of the page halves' world. */
export const PAGE_GLOBAL = 'vitrinePage';
/** Name of the binding through which a page half sends a packet as JSON to the host. */
export const PAGE_BINDING = 'vitrineSend';

/** A kernel has started in a frame's document: the first message of its world. */
export const pageHello = message('page.hello', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ url: text(2_097_152) }),
});

/** The document is past its start: its first content has been sent, and no script delays the rest. */
export const pageBegun = message('page.begun', { direction: 'page-to-host', lane: 'control', params: v.object({}) });

/** A log record of a page half; `details` is the start of its data as JSON. */
export const pageLog = message('page.log', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({
    plugin: text(50),
    level: v.picklist(['debug', 'info', 'warn', 'error']),
    message: text(2000),
    details: v.optional(text(2000)),
  }),
});

/** Ids of the plugins that the tab has. Other page halves are disposed and do not return in this document. */
export const pagePlugins = message('page.plugins', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ ids: v.array(text(50)) }),
});

/**
 * The current position of a target in the frame's viewport, in CSS px. The target is scrolled into view if needed. `hit`: the element there
 * is the target's node, inside it, or its inline container. `node`: the element there (0: none that has been sent); `bar`: one of its
 * scroll bars is there.
 */
export const resolveTarget = message('page.resolve-target', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema }),
  result: v.object({ x: px, y: px, hit: v.boolean(), node: id, bar: v.boolean() }),
  errors: ['no-target'],
});

/** The person scrolled the target's scroller to these offsets, in CSS px; without a node, the document's own. */
export const scrollTo = message('page.scroll-to', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema, left: px, top: px }),
});

/**
 * The person set the control that is or holds the target to this value, by these means of the browser. It is set as there, with `input` and
 * `change` events. A select gets the indices of its selected options, separated by commas.
 */
export const setValue = message('page.set-value', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema, by: editMeansSchema, value: text(100_000) }),
  result: nothing,
  errors: ['no-target'],
});

/** Focuses the target without scrolling; without a node, removes focus from the focused element. */
export const focusTarget = message('page.focus', {
  direction: 'host-to-page',
  lane: 'input',
  params: v.object({ target: targetSchema }),
  result: nothing,
  errors: ['no-target'],
});

/** All messages between the host's core and the kernel of a page half; they are identified by name. */
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
