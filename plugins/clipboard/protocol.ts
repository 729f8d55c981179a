import * as v from 'valibot';
import { id, text, upTo } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Longest text, HTML or RTF that is pasted or copied, in UTF-16 units. What is longer is refused, not cut. */
export const MAX_TEXT = 1_000_000;
/** Largest file of a picture, in bytes. */
export const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** Largest text as UTF-8, in bytes. */
const MAX_TEXT_BYTES = 3 * MAX_TEXT;
/** Time after a gesture of the person in which a copy by the page counts as the person's, in ms. */
export const COPY_FLAG_MS = 2000;
/** Types of pictures that are pasted. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'];

/** Kinds of content of a paste, in the order in which they are sent. */
export const KINDS = ['text', 'html', 'rtf', 'picture'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The person pastes (S-129). Its body is what, kind after kind, each of so many bytes, texts as UTF-8; whatever the person does later waits
 * for it. A body that ends early lacks what could not be read.
 */
export const paste = message('paste', {
  direction: 'client-to-host',
  lane: 'input',
  body: 'stream',
  params: v.object({
    text: upTo(MAX_TEXT_BYTES),
    html: upTo(MAX_TEXT_BYTES),
    rtf: upTo(MAX_TEXT_BYTES),
    picture: upTo(MAX_PICTURE_BYTES),
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

/**
 * An edit command of which the page has got no key (S-129, R-097): copying and cutting by the browser's own menus, pasting what the page
 * itself has copied (`paste`), nothing that pages can have, or that the browser gives (`empty-paste`), or files, which reach the page later (`file-paste`). `pre-paste`:
 * a paste is about to come.
 */
export const execCommand = message('execcmd', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    command: v.picklist(['copy', 'cut', 'paste', 'empty-paste', 'file-paste', 'pre-paste']),
    by_key: v.boolean(),
  }),
});
export type Command = v.InferOutput<typeof execCommand.params>['command'];

/** The page has copied something, within the person's gesture: it is for the person's clipboard. Its body is a PNG, or empty. */
export const copied = message('clipboard.copied', {
  direction: 'host-to-client',
  lane: 'feature',
  body: 'stream',
  params: v.object({
    text: v.exactOptional(text(2 * MAX_TEXT)),
    html: v.exactOptional(text(2 * MAX_TEXT)),
  }),
});
export type Copied = v.InferOutput<typeof copied.params>;

/** Why something is neither copied nor pasted: the policy, or what it is; or there is no policy that could be read. */
const REASONS = ['policy', 'no-policy', 'unusable'] as const;
export type Reason = (typeof REASONS)[number];

/** A host name with a port. */
const site = text(300);

/** The host has refused to copy or paste something. */
export const refused = message('clipboard.refused', {
  direction: 'host-to-client',
  lane: 'feature',
  params: v.object({
    action: v.picklist(['copy', 'paste']),
    reason: v.picklist(REASONS),
    /** Of the frame that refuses, where it is not the policy of the page. */
    site: v.exactOptional(site),
    /** Characters that may be pasted there. */
    limit: v.exactOptional(id),
  }),
});
export type Refusal = v.InferOutput<typeof refused.params>;

/**
 * Policy of a frame that is not the page's; null: it is the page's again, as at the beginning. It comes before what the frame shows, as it has
 * the same lane.
 */
export const frameRules = message('clipboard.rules', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({
    frame: id,
    rules: v.nullable(
      v.object({
        copy: v.boolean(),
        pasteLimit: v.exactOptional(id),
        isUnreadable: v.boolean(),
        copySite: v.exactOptional(site),
        pasteSite: v.exactOptional(site),
      }),
    ),
  }),
});

/** Shows the person the keys by which to copy and paste (M-009). */
export const displayCopyPasteModal = message('display_copy_paste_modal', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/**
 * The page has copied something, or may have; `sure`: something has been copied, if only the same again; `here`: in this frame, by an event.
 * Otherwise it may have been any frame.
 */
export const changed = message('clipboard.changed', {
  direction: 'page-to-host',
  params: v.object({ sure: v.boolean(), here: v.boolean() }),
});

/** The page wanted to copy what it may not. */
export const held = message('clipboard.held', { direction: 'page-to-host', params: nothing });

/** Sets what a page may do from now on; until then, it may do both. */
export const guard = message('clipboard.guard', {
  direction: 'host-to-page',
  params: v.object({ copy: v.boolean(), paste: v.boolean() }),
  result: nothing,
});

/** Asks a frame whether it has the focus itself, and no frame in it. */
export const askFocus = message('clipboard.focus', {
  direction: 'host-to-page',
  params: nothing,
  result: v.boolean(),
});
