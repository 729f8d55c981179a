import * as v from 'valibot';
import { id, px, text } from './atoms.ts';
import { editMeansSchema } from './edit-means.ts';
import { message, nothing } from './message.ts';
import { renderParamsSchema } from './pairing.ts';
import { targetSchema } from './target.ts';

const frame = id;

/** The person has scrolled a scroller of the view: CSS px. */
export const scrolled = message('scroll-and-scale', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ target: targetSchema, left: px, top: px }),
});

/** The person has changed a control by the browser's own means. The target is what was pressed there before. */
export const edited = message('input', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ target: targetSchema, by: editMeansSchema, value: text(100_000) }),
});

/** The focus has left the view or the window: keys and buttons that are down come up unseen. */
export const inputAway = message('input.away', {
  direction: 'client-to-host',
  lane: 'input',
  params: nothing,
});

/** The person has given a control the focus without pressing on it in the page: one whose picker the view opens by itself. */
export const focused = message('input.focus', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ target: targetSchema }),
});

/** Size, scale and preferences of the person's view have changed (R-087, S-042). */
export const renderParams = message('set-render-params', {
  direction: 'client-to-host',
  lane: 'control',
  params: renderParamsSchema,
});

/** Visibility and focus of the person's tab (S-067). */
export const hideTab = message('hide-tab', { direction: 'client-to-host', lane: 'control', params: v.object({}) });
export const showTab = message('show-tab', { direction: 'client-to-host', lane: 'control', params: v.object({}) });
export const acquireFocus = message('acquire-focus', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({}),
});

/** The client takes no updates from now on: its page is leaving, or is frozen (M-085). */
export const clientDetach = message('client-detach', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({}),
});
/** The client takes updates again (M-085). */
export const resumeClientUpdate = message('resume_client_update', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({}),
});

/** Policy data that is kept for this tab from one pairing to the next: requested, and sent. */
export const getPersistentPolicy = message('get-persistent-policy', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({}),
});
export const persistentPolicy = message('persistent-policy', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ policy: v.unknown() }),
});

/** Site capabilities of the page shown now (M-004, M-022). */
export const siteCaps = message('site_caps', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.record(v.string(), v.unknown()),
});

/** The page's loading state, for the shell's own (`data-vitrine-state`). */
export const loadState = message('load-state', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ state: v.picklist(['loading', 'ready']), url: text(65_536) }),
});

/** The surrogate is gone; `restored` when another has been started at the same address. */
export const surrogateLost = message('surrogate-lost', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ reason: text(200), restored: v.boolean() }),
});

/** The page's document is there and has shown no sign of life for a while; or it does now. */
export const pageSilent = message('page-silent', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ silent: v.boolean() }),
});

/** The host ends the session: drain, policy, shutdown. */
export const disconnect = message('disconnect', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ reason: text(200), reconnect: v.boolean() }),
});

/** A plugin is withdrawn in mid-session. */
export const pluginWithdrawn = message('plugin-withdrawn', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id: text(50) }),
});

/** Action on the traffic of the person's session (S-070). */
export const bandwidthAction = message('bandwidth-action', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ action: v.picklist(['warn', 'exceed', 'allow', 'block']) }),
});

/** Updates that belong together, each an opcode or name with its parameters: applied in their order, without others between (M-087). */
export const updates = message('fupd', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.pipe(v.array(v.tuple([v.union([frame, text(100)]), v.unknown()])), v.maxLength(10_000)),
});

const box = v.object({ x: px, y: px, width: px, height: px });

/**
 * The frames of the page that the person sees something of now, outer ones first (M-087): `parent` is the frame around one, 0 for the
 * main frame, `box` what is seen of it, in CSS px of the shell's viewport.
 */
export const visibleTree = message('visible_tree', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
  result: v.array(v.object({ frame, parent: frame, box })),
});

/** The smallest box around a target as the person sees it, in CSS px of the shell's viewport (M-087); null when it is nowhere. */
export const boundingRect = message('bounding_rect', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ target: targetSchema }),
  result: v.nullable(box),
});

/** Rendered frame complete: answered once the browser has drawn all that came before it in its lane; false in a hidden window (M-087). */
export const frameComplete = message('rfc', {
  direction: 'host-to-client',
  lane: 'view',
  params: nothing,
  result: v.boolean(),
});

/** All messages of the core, in opcode order from 1: append only, until PROTOCOL_VERSION rises. */
export const CORE_MESSAGES = [
  scrolled,
  edited,
  renderParams,
  hideTab,
  showTab,
  acquireFocus,
  siteCaps,
  loadState,
  surrogateLost,
  disconnect,
  pluginWithdrawn,
  focused,
  clientDetach,
  resumeClientUpdate,
  getPersistentPolicy,
  persistentPolicy,
  bandwidthAction,
  updates,
  visibleTree,
  boundingRect,
  frameComplete,
  pageSilent,
  inputAway,
];
