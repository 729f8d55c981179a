import * as v from 'valibot';
import { extent, id, px, text, upTo } from '../../../core/protocol/atoms.ts';
import { message } from '../../../core/protocol/message.ts';
import type { Message, ParamsOf, Schema } from '../../../core/protocol/message.ts';
import { hitTestResult, MAX_HIT_TEXT } from './hit-test-result.ts';

/** Maximum number of ranges of a selection, and of values that change at once. */
export const MAX_SELECTIONS = 100;
export const MAX_INPUT_VALUES = 1000;
/** Maximum number of matches that a search counts. */
export const MAX_MATCHES = 1_000_000;
/** Kinds of pickers that the person's own browser opens. */
export const PICKERS = ['select', 'date', 'color'] as const;

const count = upTo(MAX_MATCHES);
const box = v.object({ x: px, y: px, width: extent, height: extent });
/** A node of a frame; `node_id` 0: none. */
const place = { fid: id, node_id: id };
const hitText = text(MAX_HIT_TEXT);
const inputValue = v.object({ ...place, value: hitText });

/** Uses the lane of commits, since each message refers to the content of earlier commits. */
function commitMessage<P>(name: string, params: Schema<P>): Message<P, undefined> {
  return message(name, { direction: 'host-to-client', lane: 'view', params });
}

/**
 * Messages that come with commits besides layers, by opcode. The title of the page is `set title`, which plugins/favicon-title
 * handles for every renderer.
 */
export const COMMIT_MESSAGES = {
  hitTestResult,
  loadFinished: commitMessage('load finished', v.object({ fid: id })),
  loadFailed: commitMessage('load failed', v.object({ fid: id })),
  /** Null: there is no caret. In CSS px of the frame's viewport. */
  caretPosition: commitMessage('caret position', v.object({ ...place, box: v.nullable(box) })),
  /** From now on this node receives the person's typing. */
  readyForInput: commitMessage('ready for input', v.object(place)),
  selections: commitMessage(
    'selections',
    v.object({ fid: id, boxes: v.pipe(v.array(box), v.maxLength(MAX_SELECTIONS)) }),
  ),
  focusChanged: commitMessage('focus changed', v.object(place)),
  dragStarted: commitMessage('drag start', v.object({ ...place, image: v.nullable(box) })),
  dragStopped: commitMessage('drag stop', v.object({ fid: id })),
  showPicker: commitMessage('show picker', v.object({ ...place, picker: v.picklist(PICKERS) })),
  /** `count`: index of the shown match among `total`. */
  searchReply: commitMessage('search_reply', v.object({ count, total: count })),
  searchStart: commitMessage('search_start', v.object({ kind: v.picklist(['new', 'next', 'prev']) })),
  inputValue: commitMessage('input value', inputValue),
  inputValues: commitMessage(
    'bulk input updates',
    v.object({ values: v.pipe(v.array(inputValue), v.maxLength(MAX_INPUT_VALUES)) }),
  ),
  readOnlyException: commitMessage('set read-only exception', v.object({ ...place, excepted: v.boolean() })),
  readOnlyStatus: commitMessage('read-only status changed', v.object({ fid: id, is_readonly: v.boolean() })),
  /** Ignored: the person's own picker replaces the page's. */
  dateTimeChooser: commitMessage('datetime chooser', v.object(place)),
} as const;

type CommitMessages = typeof COMMIT_MESSAGES;

/** Handlers of all opcodes: one that is missing does not compile. */
export type CommitHandlers = {
  readonly [K in Exclude<keyof CommitMessages, 'dateTimeChooser'>]: (params: ParamsOf<CommitMessages[K]>) => void;
};
