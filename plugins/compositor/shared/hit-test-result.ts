import * as v from 'valibot';
import { extent, id, px, text } from '../../../core/protocol/atoms.ts';
import { message } from '../../../core/protocol/message.ts';

/** Largest number of items of a select list. */
export const MAX_SELECT_ITEMS = 10_000;
/** Longest texts, in UTF-16 units. */
export const MAX_HIT_TEXT = 100_000;
export const MAX_HIT_URL = 65_536;
export const MAX_HIT_LABEL = 2000;

const label = text(MAX_HIT_LABEL);

/** What an item of a select list can be. One of another type travels, too: who shows the list logs it and goes on. */
export const SELECT_ITEM_TYPES = ['separator', 'group', 'option'] as const;

/** An item of a select list. */
export const selectItemSchema = v.object({
  /** One of {@link SELECT_ITEM_TYPES}, or what a reader does not know. */
  type: text(50),
  label,
  /** Its place among all items; what choosing it is answered with. */
  index: id,
  checked: v.boolean(),
  enabled: v.boolean(),
  hidden: v.boolean(),
  in_group: v.boolean(),
});
export type SelectItem = v.InferOutput<typeof selectItemSchema>;

/**
 * What the person's own picker needs to stand for a control of the page, by the names of HTML: dates, times, numbers and colours have
 * bounds, without which it would offer what the page refuses.
 */
const extraInputSchema = v.object({
  type: text(50),
  value: text(MAX_HIT_TEXT),
  min: label,
  max: label,
  step: label,
  multiple: v.boolean(),
  read_only: v.boolean(),
});
export type ExtraInput = v.InferOutput<typeof extraInputSchema>;

/**
 * What lies at a point of the page: all that a picture does not say of itself, for the invisible native elements over it. Absent is
 * what does not apply: no link, no list, no control.
 */
export const hitTestResultSchema = v.object({
  /** Of the line or control that was hit. */
  text: v.exactOptional(text(MAX_HIT_TEXT)),
  editable: v.boolean(),
  /** It lies in the selection. */
  selected: v.boolean(),
  /** As the page has it, resolved: untrusted, who makes a link of it checks its scheme. */
  link_url: v.exactOptional(text(MAX_HIT_URL)),
  link_opens_new_tab: v.boolean(),
  /** A keyword of CSS `cursor`, and nothing else: it goes into a style. */
  cursor_name: v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/)),
  /** What a tooltip says. */
  title: v.exactOptional(label),
  /** Of the frame that the message names. */
  node_id: id,
  /** The box of the node in the viewport of its frame, in CSS px. */
  viewport_bounds: v.object({ x: px, y: px, width: extent, height: extent }),
  select_items: v.exactOptional(v.pipe(v.array(selectItemSchema), v.maxLength(MAX_SELECT_ITEMS))),
  extra_input: v.exactOptional(extraInputSchema),
});
export type HitTestResult = v.InferOutput<typeof hitTestResultSchema>;

/** What lies under the pointer now; null where nothing of the page is. In the lane of commits: it speaks of nodes that they have shown. */
export const hitTestResult = message('hit-test result', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({ frame: id, result: v.nullable(hitTestResultSchema) }),
});
