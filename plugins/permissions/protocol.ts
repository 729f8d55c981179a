import * as v from 'valibot';
import { id, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

/** The page requests the person's location, once or continuously, in a call with an id that is unique in its frame. */
export const pageAsks = message('permissions.page-asks', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id, stays: v.boolean() }),
});

/** The page's call may continue natively, because the browser has the answer; or it is rejected. */
export const pageAnswer = message('permissions.page-answer', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ id, isRefused: v.boolean() }),
});

/** The page has cleared the watch with that id. */
export const pageClears = message('permissions.page-clears', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** The page of a site requests a permission. If the person has already granted it, only the value is needed. */
export const permissionRequest = message('permissions.request', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    name: v.picklist(['geolocation']),
    site: text(300),
    isGiven: v.boolean(),
    stays: v.boolean(),
  }),
});
export type PermissionRequest = v.InferOutput<typeof permissionRequest.params>;

/** The page was closed, or has cancelled: cancel the question and stop reporting. */
export const permissionsOver = message('permissions.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/** Things that pages ask for and never get: the camera or microphone, and notifications. */
const refusedName = v.picklist(['media', 'notifications']);
export type RefusedName = v.InferOutput<typeof refusedName>;

/** The page has asked for something that no page gets, and hears so from the surrogate. */
export const pageRefused = message('permissions.page-refused', {
  direction: 'page-to-host',
  params: v.object({ name: refusedName }),
});

/** A site has asked for it: reported to the person once for each site. */
export const permissionRefused = message('permissions.refused', {
  direction: 'host-to-client',
  params: v.object({ name: refusedName, site: text(300) }),
});

/** The person's decision. */
export const perm = message('perm', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, name: v.picklist(['geolocation']), granted: v.boolean() }),
});

/** A position, in degrees and metres. */
const position = v.object({
  latitude: between(-90, 90),
  longitude: between(-180, 180),
  accuracy: between(0, 1e8),
});

/** Reason of a missing position, as in `GeolocationPositionError.code`. */
export const POSITION_ERROR = { permissionDenied: 1, positionUnavailable: 2, timeout: 3 } as const;

/** The result for a promise or callback of the page (S-135): the position, repeated when it changes, or the reason why there is none. */
export const promiseResponse = message('promise-response', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({
    id,
    outcome: v.variant('ok', [
      v.object({ ok: v.literal(true), value: position }),
      v.object({ ok: v.literal(false), code: v.picklist([1, 2, 3]) }),
    ]),
  }),
});
export type PromiseOutcome = v.InferOutput<typeof promiseResponse.params>['outcome'];
