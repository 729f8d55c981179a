import * as v from 'valibot';
import { serial, text, upTo } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Longest text, HTML or RTF that is pasted or copied, in UTF-16 units. What is longer is refused, not cut. */
export const MAX_TEXT = 1_000_000;
/** Largest file of a picture, in bytes. */
export const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** Longest picture as base64. */
const MAX_PICTURE = 4 * Math.ceil(MAX_PICTURE_BYTES / 3);
/** Longest part of a paste, in UTF-16 units: a message upstream may have 1 MiB, and JSON may need 6 bytes for a unit. */
export const MAX_PART = 150_000;
/** How long after a gesture of the person what the page copies is the person's, in ms. */
export const COPY_FLAG_MS = 2000;
/** Types of pictures that are pasted. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'];

const id = serial;
const length = (max: number) => upTo(max);

/** What a paste consists of, in the order in which its parts come. */
export const KINDS = ['text', 'html', 'rtf', 'picture'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The person pastes (S-129). What it is follows in parts, for each kind as many as make up its length; whatever the person does later waits
 * for them.
 */
export const paste = message('paste', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    id,
    text: length(MAX_TEXT),
    html: length(MAX_TEXT),
    rtf: length(MAX_TEXT),
    /** As base64. */
    picture: length(MAX_PICTURE),
    /** As far as the client knows the page itself has copied this: the page's own clipboard has all of it, and goes before. */
    own: v.boolean(),
    /** Without its looks. */
    plain: v.boolean(),
    /** By a shortcut, whose release is still to come. */
    by_key: v.boolean(),
    /** With Command. */
    meta: v.boolean(),
  }),
});
export type PasteRequest = v.InferOutput<typeof paste.params>;

/** A part of a paste; null: what is left of this kind could not be read, and will not come. */
export const pastePart = message('clipboard.part', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ id, kind: v.picklist(KINDS), data: v.nullable(text(MAX_PART)) }),
  result: nothing,
});

/**
 * An edit command that no key has told the page of (S-129, R-097): copying and cutting by the browser's own menus, pasting what the page
 * itself has copied (`paste`), or nothing that pages can have (`empty-paste`). `pre-paste`: a paste is about to come.
 */
export const execCommand = message('execcmd', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ command: v.picklist(['copy', 'cut', 'paste', 'empty-paste', 'pre-paste']), by_key: v.boolean() }),
});
export type Command = v.InferOutput<typeof execCommand.params>['command'];

/** The page has copied something, within the person's gesture: it is for the person's clipboard. */
export const copied = message('clipboard.copied', {
  direction: 'host-to-client',
  lane: 'feature',
  params: v.object({
    text: v.exactOptional(text(2 * MAX_TEXT)),
    html: v.exactOptional(text(2 * MAX_TEXT)),
    /** A PNG, as base64. */
    picture: v.exactOptional(text(MAX_PICTURE)),
  }),
});
export type Copied = v.InferOutput<typeof copied.params>;

/** Why something is neither copied nor pasted: the policy, or what it is; or there is no policy that could be read. */
const REASONS = ['policy', 'no-policy', 'unusable'] as const;
export type Reason = (typeof REASONS)[number];

/** The host has refused to copy or paste something. */
export const refused = message('clipboard.refused', {
  direction: 'host-to-client',
  lane: 'feature',
  params: v.object({ action: v.picklist(['copy', 'paste']), reason: v.picklist(REASONS) }),
});
export type Refusal = v.InferOutput<typeof refused.params>;

/** Shows the person the keys by which to copy and paste (M-009). */
export const displayCopyPasteModal = message('display_copy_paste_modal', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/** The page has copied something, or may have; `sure`: something has been copied, if only the same again. */
export const changed = message('clipboard.changed', {
  direction: 'page-to-host',
  params: v.object({ sure: v.boolean() }),
});

/** The page wanted to copy what it may not. */
export const held = message('clipboard.held', { direction: 'page-to-host', params: nothing });

/** What pages may do from now on; they may do both until they are told. */
export const guard = message('clipboard.guard', {
  direction: 'host-to-page',
  params: v.object({ copy: v.boolean(), paste: v.boolean() }),
  result: nothing,
});
