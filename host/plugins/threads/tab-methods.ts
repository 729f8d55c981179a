import * as v from 'valibot';
import type { HostScope } from '../../contracts/host-scope.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import { addresses, deadlineMs, index, text } from './method-table.ts';
import type { ListenerCalls, MethodTable } from './method-table.ts';

const stage = v.optional(v.nullable(v.picklist(['first', 'early', 'normal', 'late', 'last'])));
const domain = v.picklist(['Page', 'DOM', 'CSS', 'Network', 'Overlay', 'Accessibility', 'Animation']);
const object = v.optional(v.nullable(v.record(v.string(), v.unknown())));

/** Maximum size of a CDP stream for a thread, in bytes: more would end the thread. */
const MAX_STREAM_BYTES = 32 * 1024 * 1024;

const EACH: Readonly<Record<keyof TabHooks, true>> = {
  navigated: true,
  navigationFailed: true,
  clientAttached: true,
  inputLost: true,
  lagging: true,
  unresponsive: true,
  replaced: true,
  policyChanged: true,
  addressChanged: true,
  windowOpened: true,
  windowPaired: true,
  windowClosed: true,
};
/** The tab's hooks, by their names in {@link TabHooks}. */
export const HOOKS = Object.keys(EACH) as (keyof TabHooks)[]; // its own keys

/** Adds the methods `frames.*`. */
export function addFrameMethods(
  { add, registered }: MethodTable,
  { frames }: Pick<HostScope, 'frames'>,
  { tell }: Pick<ListenerCalls, 'tell'>,
): void {
  add('frames.get', [index], (frame) => frames.get(frame));
  add('frames.all', [], () => frames.all());
  add('frames.ownerOf', [index], (frame) => frames.ownerOf(frame));
  add('frames.originOf', [index], (frame) => frames.originOf(frame));
  add('frames.nodeIdOf', [index, index], (frame, node) => frames.nodeIdOf(frame, node));
  for (const name of ['onReady', 'onNavigated', 'onGone'] as const)
    add(`frames.${name}`, [index], (listener) =>
      registered(
        listener,
        frames[name]((given: unknown) => tell(listener, [given])),
      ),
    );
}

/** Adds the methods `cdp.*`: the broker permits what the manifest names. */
export function addCdpMethods(
  { add, registered }: MethodTable,
  { cdp }: Pick<HostScope, 'cdp'>,
  { tell }: Pick<ListenerCalls, 'tell'>,
): void {
  const deadline = (ms: number | null | undefined) => (ms ? { deadlineMs: ms } : {});
  add(
    'cdp.send',
    [index, text, object, deadlineMs],
    (frame, name, params, ms) => cdp.send(frame, name as never, (params ?? undefined) as never, deadline(ms)), // any method: the broker permits it
  );
  const maxBytes = v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_STREAM_BYTES));
  add(
    'cdp.stream',
    [index, v.picklist(['Page.printToPDF']), object, maxBytes, deadlineMs],
    (frame, name, params, max, ms) => cdp.stream(frame, name, params ?? {}, { maxBytes: max, ...deadline(ms) }),
  );
  add(
    'cdp.on',
    [text, index],
    (event, listener) =>
      registered(
        listener,
        cdp.on(event as never, (params, origin) => tell(listener, [params, origin])),
      ), // as above
  );
  add('cdp.enable', [domain, index], (name, listener) => registered(listener, cdp.enable(name)));
  add('cdp.frameId', [index], (frame) => cdp.frameId(frame));
  add('cdp.frameOf', [text], (frameId) => cdp.frameOf(frameId));
  add('cdp.framesOf', [v.object({ frame: index })], (origin) => cdp.framesOf(origin));
}

/** Adds the methods `tab.*`, and that for its hooks. */
export function addTabMethods(
  { add, registered }: MethodTable,
  { tab, hooks }: Pick<HostScope, 'tab' | 'hooks'>,
  { tell }: Pick<ListenerCalls, 'tell'>,
): void {
  add('hooks.tap', [v.picklist(HOOKS), index, stage], (name, listener, at) =>
    registered(
      listener,
      hooks.tap(tab.hooks[name] as (typeof tab.hooks)['navigated'], (given) => tell(listener, [given]), {
        // all notify alike
        ...(at ? { stage: at } : {}),
      }),
    ),
  );
  add('tab.url', [], () => tab.url());
  add('tab.destination', [], () => tab.destination());
  add('tab.policy', [addresses], (address) => tab.policy(address ?? undefined)); // as JSON, nothing is null
  add('tab.resource', [v.picklist(['i', 'f', 'm', 's']), text, index], (kind, address, frame) =>
    tab.resource(kind, address, frame),
  );
  add('tab.shows', [text], (path) => tab.shows(path));
  add('tab.release', [v.optional(text)], (to) => tab.release(to));
}
