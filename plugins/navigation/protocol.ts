import * as v from 'valibot';
import { integer, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/**
 * Maximum length of an address in messages, in UTF-16 units. Chromium's own limit for navigations is 2 MB; real addresses are far shorter.
 */
export const MAX_ADDRESS = 65_536;

const address = text(MAX_ADDRESS);
const entry = integer;
/** The policy for the page of an entry, which the shell keeps with it (M-025). */
const policy = v.unknown();

/** The person navigates (M-084). `entry` is an entry of the page's history, by the `hid` from the host; `url` is its address. */
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

/**
 * The page's history has changed. The shell's must follow (M-088), unless the person has left the entry `after`, in which the page was before
 * (absent: the one of which the client has heard last): the shell is ahead of the page then. `add`, `pushstate`: an entry is new, with a document or without. `replace`, `replacestate`: it has taken
 * the place of another. `reload`: the page has been loaded again in it. `stateupdate`: what the shell keeps with it is another.
 */
export const updateNavbar = message('update_navbar', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    kind: v.picklist(NAVBAR_KINDS),
    hid: entry,
    url: address,
    persistent_policy: policy,
    after: v.exactOptional(entry),
  }),
});

/** The page has navigated to an entry that the shell's history has, `delta` entries away. */
export const historyJump = message('history_jump', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ hid: entry, url: address, persistent_policy: policy, delta: integer }),
});

/** The address that the page is loading, which is shown meanwhile (M-084). Without one: it is loading nothing any more. */
export const setUrlHint = message('set_url_hint', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ url: v.exactOptional(address) }),
});

/** Reasons why a page could not be shown; `failures.ts` has the texts. */
export const FAILURES = [
  'blocked-address',
  'blocked-site',
  'own-service',
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
  'stopped',
  'busy',
  'port',
  'no-page',
  'gone',
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
    /** Technical error text for experts, such as `net::ERR_CONNECTION_RESET`. */
    detail: text(200),
    /** The words of the policy about a refused host, if it has some: shown as they are. */
    words: v.exactOptional(text(2000)),
  }),
});
export type NavigationProblem = v.InferOutput<typeof navigationFailed.params>;
