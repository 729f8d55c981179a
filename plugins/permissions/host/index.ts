import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { pageAsks, pageClears, pageRefused, perm, permissionRefused, promiseResponse } from '../protocol.ts';
import { GeolocationCalls } from './geolocation-calls.ts';
import { geolocationToken } from './origin-permissions.ts';
import { refusalsToken } from './refusals.ts';

const MAIN_FRAME = 1;

/**
 * Gives pages the person's location: only where the policy allows requests and the person has agreed, and only for the page's own origin.
 * The surrogate itself denies everything else that needs a permission.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, page, hooks, tab, frames, cdp } = scope;
  const calls = new GeolocationCalls(scope, scope.services.get(geolocationToken).of(tab.id));

  /** In order: a call may be cleared before its origin is known. */
  let order: Promise<void> = Promise.resolve();
  page.handle(pageAsks, ({ id, stays }, frame) => {
    const origins = Promise.all([frames.originOf(MAIN_FRAME), frames.originOf(frame.id)]);
    order = order.then(async () => {
      const [main, own] = await origins;
      if (!frames.get(frame.id)) return;
      // The page's own process says where it is, and may say anything.
      const isTrue = main === frames.get(MAIN_FRAME)?.origin && own === frames.get(frame.id)?.origin;
      calls.ask(isTrue ? frame : { ...frame, origin: 'null' }, id, stays);
    });
  });
  page.handle(pageClears, ({ id }, frame) => {
    order = order.then(() => calls.clear(frame.id, id));
  });
  const refusals = scope.services.get(refusalsToken);
  page.handle(pageRefused, async ({ name }, frame) => {
    const origin = await frames.originOf(frame.id);
    if (!refusals.isNew(origin, name)) return;
    commands.send(permissionRefused, { name, site: (URL.parse(origin)?.host ?? '').slice(0, 300) });
  });
  commands.handle(perm, ({ id, granted }) => calls.decide(id, granted));
  commands.handle(promiseResponse, ({ id, outcome }) => calls.report(id, outcome));

  cdp.on('Page.frameStartedNavigating', ({ frameId, url }) => {
    if (cdp.frameOf(frameId) === MAIN_FRAME) calls.goesTo(url);
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) calls.navigated(frame);
  });
  frames.onGone((frame) => calls.frameRemoved(frame));
  hooks.tap(tab.hooks.replaced, () => calls.replaced());
  hooks.tap(tab.hooks.policyChanged, () => calls.policyChanged());
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) calls.renew();
  });
  scope.onDispose(() => calls.dispose());
};
