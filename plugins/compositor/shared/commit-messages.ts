import * as v from 'valibot';
import { extent, id, px, text, upTo } from '../../../core/protocol/atoms.ts';
import { message } from '../../../core/protocol/message.ts';
import type { Message, ParamsOf, Schema } from '../../../core/protocol/message.ts';
import { hitTestResult, MAX_HIT_TEXT } from './hit-test-result.ts';

/** Most ranges of a selection, and most values that change at once. */
export const MAX_SELECTIONS = 100;
export const MAX_INPUT_VALUES = 1000;
/** Most matches that a search counts. */
export const MAX_MATCHES = 1_000_000;
/** Pickers that the person's own browser opens. */
export const PICKERS = ['select', 'date', 'color'] as const;

const count = upTo(MAX_MATCHES);
const box = v.object({ x: px, y: px, width: extent, height: extent });
/** A node of a frame; `node_id` 0: none. */
const place = { fid: id, node_id: id };
const hitText = text(MAX_HIT_TEXT);
const inputValue = v.object({ ...place, value: hitText });

/** In the lane of commits: each speaks of what they have shown. */
function commitMessage<P>(name: string, params: Schema<P>): Message<P, undefined> {
  return message(name, { direction: 'host-to-client', lane: 'view', params });
}

/**
 * What comes with commits beside layers, by opcode. The title of the page is `set title`, which plugins/favicon-title has in
 * every renderer.
 */
export const COMMIT_MESSAGES = {
  hitTestResult,
  loadFinished: commitMessage('load finished', v.object({ fid: id })),
  loadFailed: commitMessage('load failed', v.object({ fid: id })),
  /** Null: it is nowhere. CSS px of the frame's viewport. */
  caretPosition: commitMessage('caret position', v.object({ ...place, box: v.nullable(box) })),
  /** What the person types from now on reaches this node. */
  readyForInput: commitMessage('ready for input', v.object(place)),
  selections: commitMessage(
    'selections',
    v.object({ fid: id, boxes: v.pipe(v.array(box), v.maxLength(MAX_SELECTIONS)) }),
  ),
  focusChanged: commitMessage('focus changed', v.object(place)),
  dragStarted: commitMessage('drag start', v.object({ ...place, image: v.nullable(box) })),
  dragStopped: commitMessage('drag stop', v.object({ fid: id })),
  showPicker: commitMessage('show picker', v.object({ ...place, picker: v.picklist(PICKERS) })),
  /** `count`: which of `total` matches is shown. */
  searchReply: commitMessage('search_reply', v.object({ count, total: count })),
  searchStart: commitMessage('search_start', v.object({ kind: v.picklist(['new', 'next', 'prev']) })),
  inputValue: commitMessage('input value', inputValue),
  inputValues: commitMessage(
    'bulk input updates',
    v.object({ values: v.pipe(v.array(inputValue), v.maxLength(MAX_INPUT_VALUES)) }),
  ),
  readOnlyException: commitMessage('set read-only exception', v.object({ ...place, excepted: v.boolean() })),
  readOnlyStatus: commitMessage('read-only status changed', v.object({ fid: id, is_readonly: v.boolean() })),
  /** Ignored: the person's own picker stands for the page's. */
  dateTimeChooser: commitMessage('datetime chooser', v.object(place)),
} as const;

type CommitMessages = typeof COMMIT_MESSAGES;

/** What becomes of each opcode: the compiler misses one that is left out. */
export type CommitHandlers = {
  readonly [K in Exclude<keyof CommitMessages, 'dateTimeChooser'>]: (params: ParamsOf<CommitMessages[K]>) => void;
};
