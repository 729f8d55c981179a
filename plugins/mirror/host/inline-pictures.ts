import { isInlineable } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import type { KeepsInline } from './sanitize/addresses.ts';

type PolicyScope = Pick<HostScope<typeof manifest>, 'hooks' | 'tab'>;
type Policy = ReturnType<PolicyScope['tab']['policy']>;

/** Returns the test for inline pictures that may stay in the markup: none where the policy requires pictures to be re-encoded. */
export function inlinePictures(scope: PolicyScope): KeepsInline {
  const isFree = fromPolicy(scope, asIs);
  return (address) => isFree() && isInlineable(address);
}

/** Returns the test for whether pictures of canvases may be shown (M-022: `allow_client_canvas_src`). */
export function canvasesShown(scope: PolicyScope): () => boolean {
  return fromPolicy(scope, ({ site_capabilities }) => site_capabilities.allow_client_canvas_src);
}

/** Returns the links that may open applications of the person's own (S-081). */
export function openedApplications(scope: PolicyScope): () => readonly string[] {
  return fromPolicy(scope, ({ client_capabilities }) => client_capabilities.applicationLinks);
}

/** Caches a setting of the policy for the tab's page; reads it again when either changes. */
function fromPolicy<T>({ hooks, tab }: PolicyScope, read: (settings: Policy) => T): () => T {
  let known: T | undefined;
  const forget = (): undefined => void (known = undefined);
  hooks.tap(tab.hooks.navigated, forget);
  hooks.tap(tab.hooks.policyChanged, forget);
  return () => (known ??= read(tab.policy()));
}

function asIs({ pictures: { reencode, max_side } }: Policy): boolean {
  return !reencode && max_side === undefined;
}
