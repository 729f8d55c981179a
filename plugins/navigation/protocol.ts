import * as v from 'valibot';
import { integer, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Longest address that travels, in UTF-16 units: Chromium's own bound for navigations is 2 MB, what people use is far below. */
export const MAX_ADDRESS = 65_536;

const address = text(MAX_ADDRESS);
const entry = integer;

/** The person navigates (M-084). `entry` names an entry of the page's history by the `hid` that the host has given it, `url` what it showed. */
export const navigate = message('navigate', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.union([
    v.object({ kind: v.literal('address'), url: address }),
    v.object({ kind: v.literal('entry'), entry, url: v.exactOptional(address) }),
    v.object({ kind: v.literal('reload') }),
  ]),
});

export const NAVBAR_KINDS = ['add', 'replace', 'reload', 'pushstate', 'replacestate', 'stateupdate'] as const;

/** The page's history has changed: the shell's follows (M-088). */
export const updateNavbar = message('update_navbar', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ kind: v.picklist(NAVBAR_KINDS), hid: entry, url: address }),
});

/** The page has gone to an entry that the shell's history has already, `delta` entries away. */
export const historyJump = message('history_jump', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ hid: entry, url: address, delta: integer }),
});

/** The address to show for the page while it is on its way (M-084). */
export const setUrlHint = message('set_url_hint', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ url: address }),
});

/** Why a page could not be shown, in the person's words' codes: `failures.ts` has the texts. */
export const FAILURES = [
  'blocked-address',
  'blocked-site',
  'name-not-resolved',
  'connection-refused',
  'connection-reset',
  'empty-response',
  'timeout',
  'certificate',
  'offline',
  'too-many-redirects',
  'scheme',
  'blocked-content',
  'other',
] as const;
export type Failure = (typeof FAILURES)[number];

/** The page could not be shown. */
export const navigationFailed = message('navigation.failed', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    url: address,
    failure: v.picklist(FAILURES),
    /** The technical word for it, for those who can use it: `net::ERR_CONNECTION_RESET`. */
    detail: text(200),
  }),
});
export type NavigationProblem = v.InferOutput<typeof navigationFailed.params>;
