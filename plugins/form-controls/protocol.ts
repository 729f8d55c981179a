import * as v from 'valibot';
import { id, integer, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/**
 * Reasons for which a browser does not send a form, as `ValidityState` of HTML has them; what is missing by the kind of control. `custom`: the
 * page's own.
 */
const PROBLEMS = [
  ...(['missing', 'missing-check', 'missing-choice', 'missing-option', 'missing-file'] as const),
  ...(['email', 'url', 'pattern', 'short', 'long', 'low', 'high', 'step', 'bad', 'custom'] as const),
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** Longest text of a page in a bubble, in UTF-16 units. */
export const MOST_UNITS = 500;

const report = v.object({
  epoch: integer,
  node: id,
  problem: v.picklist(PROBLEMS),
  /** The bound that is not kept to, as the page has written it; empty where there is none. */
  limit: text(100),
  /** The page's own words: its message where the problem is `custom`, else what it says about the pattern. */
  words: text(MOST_UNITS),
});

/** The browser has refused a form and shows why, at this control; the mirror knows it after the batch `seq`. */
export const pageReport = message('form-controls.page-report', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ ...report.entries, seq: id }),
});

/** The control was changed or left. */
export const pageOver = message('form-controls.page-over', {
  direction: 'page-to-host',
  lane: 'control',
  params: nothing,
});

/** Shows at a control why its form is not sent (M-064). */
export const validateForm = message('validate_form', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ ...report.entries, frame: id }),
});

/** Nothing is to be shown any more. */
export const validationOver = message('form-controls.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});
