import * as v from 'valibot';
import { id, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

/** The page wants to know where the person is, once or for as long as it stays, in a call with a number of that frame's own. */
export const pageAsks = message('permissions.page-asks', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id, stays: v.boolean() }),
});

/** The page's call goes its native way now, since what there is to be told has been put there; or it is refused without. */
export const pageAnswer = message('permissions.page-answer', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ id, isRefused: v.boolean() }),
});

/** The page does not want to know any more: it has cleared the watch of that number. */
export const pageClears = message('permissions.page-clears', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** The page of a site asks for a permission; of one that the person has given it already, only the value is wanted. */
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

/** The page is gone, or does not want to know any more: nothing more is asked, or told. */
export const permissionsOver = message('permissions.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/** What the person has decided. */
export const perm = message('perm', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, name: v.picklist(['geolocation']), granted: v.boolean() }),
});

/** A position: degrees, and metres. */
const position = v.object({
  latitude: between(-90, 90),
  longitude: between(-180, 180),
  accuracy: between(0, 1e8),
});

/** Why there is no position: as `GeolocationPositionError.code` has it. */
export const POSITION_ERROR = { permissionDenied: 1, positionUnavailable: 2, timeout: 3 } as const;

/** What a promise, or a callback, of the page is settled with (S-135): the position, again when it changes, or why there is none. */
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
