import { isInlineable } from '../../../host/plugin.ts';
import type { HostScope, Settings } from '../../../host/plugin.ts';
import type { KeepsInline } from './sanitize/addresses.ts';

type PolicyScope = Pick<HostScope, 'hooks' | 'tab'>;

/** Says which inline pictures of a tab's page may stay in the markup: where the policy wants pictures made anew, none. */
export function inlinePictures(scope: PolicyScope): KeepsInline {
  const isFree = fromPolicy(scope, asIs);
  return (address) => isFree() && isInlineable(address);
}

/** Says whether what canvases of a tab's page show may be shown (M-022: `allow_client_canvas_src`). */
export function canvasesShown(scope: PolicyScope): () => boolean {
  return fromPolicy(scope, ({ site_capabilities }) => site_capabilities.allow_client_canvas_src);
}

/** Reads something of the policy for the tab's page, again when either changes. */
function fromPolicy({ hooks, tab }: PolicyScope, read: (settings: Settings) => boolean): () => boolean {
  let known: boolean | undefined;
  const forget = (): undefined => void (known = undefined);
  hooks.tap(tab.hooks.navigated, forget);
  hooks.tap(tab.hooks.policyChanged, forget);
  return () => (known ??= read(tab.policy()));
}

function asIs({ pictures: { reencode, max_side } }: Settings): boolean {
  return !reencode && max_side === undefined;
}
