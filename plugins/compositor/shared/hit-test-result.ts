import * as v from 'valibot';
import { extent, id, px, text } from '../../../core/protocol/atoms.ts';
import { message } from '../../../core/protocol/message.ts';

/** Maximum number of items of a select list. */
export const MAX_SELECT_ITEMS = 10_000;
/** Longest texts, in UTF-16 units. */
export const MAX_HIT_TEXT = 100_000;
export const MAX_HIT_URL = 65_536;
export const MAX_HIT_LABEL = 2000;

const label = text(MAX_HIT_LABEL);

/** Types of items of a select list. Others are accepted too: the code that shows the list logs and skips them. */
export const SELECT_ITEM_TYPES = ['separator', 'group', 'option'] as const;

/** An item of a select list. */
export const selectItemSchema = v.object({
  /** One of {@link SELECT_ITEM_TYPES}, or an unknown type. */
  type: text(50),
  label,
  /** Its index among all items; sent back when it is chosen. */
  index: id,
  checked: v.boolean(),
  enabled: v.boolean(),
  hidden: v.boolean(),
  in_group: v.boolean(),
});
export type SelectItem = v.InferOutput<typeof selectItemSchema>;

/**
 * Attributes of a control of the page that the person's own picker needs, by their HTML names: dates, times, numbers and colours have
 * bounds, without which it would offer values that the page refuses.
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
 * Properties of a point of the page that a picture does not show, for the invisible native elements over it. Fields that do not
 * apply are absent: no link, no list, no control.
 */
export const hitTestResultSchema = v.object({
  /** Text of the line or control that was hit. */
  text: v.exactOptional(text(MAX_HIT_TEXT)),
  editable: v.boolean(),
  /** Whether it is in the selection. */
  selected: v.boolean(),
  /** Resolved address from the page: untrusted; code that makes a link of it must check its scheme. */
  link_url: v.exactOptional(text(MAX_HIT_URL)),
  link_opens_new_tab: v.boolean(),
  /** A keyword of CSS `cursor` only, since it goes into a style. */
  cursor_name: v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/)),
  /** Text of a tooltip. */
  title: v.exactOptional(label),
  /** Node of the frame that the message names. */
  node_id: id,
  /** The box of the node in the viewport of its frame, in CSS px. */
  viewport_bounds: v.object({ x: px, y: px, width: extent, height: extent }),
  select_items: v.exactOptional(v.pipe(v.array(selectItemSchema), v.maxLength(MAX_SELECT_ITEMS))),
  extra_input: v.exactOptional(extraInputSchema),
});
export type HitTestResult = v.InferOutput<typeof hitTestResultSchema>;

/** Content under the pointer now; null where there is none of the page. In the lane of commits, since it refers to their nodes. */
export const hitTestResult = message('hit-test result', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({ frame: id, result: v.nullable(hitTestResultSchema) }),
});
