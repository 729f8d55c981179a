import { isInlineable } from '../../../host/plugin.ts';
import type { HostScope, Settings } from '../../../host/plugin.ts';
import type { KeepsInline } from './sanitize/addresses.ts';

/** Says which inline pictures of a tab's page may stay in the markup: where the policy wants pictures made anew, none. */
export function inlinePictures({ hooks, tab }: Pick<HostScope, 'hooks' | 'tab'>): KeepsInline {
  let isFree: boolean | undefined;
  const forget = (): undefined => void (isFree = undefined);
  hooks.tap(tab.hooks.navigated, forget);
  hooks.tap(tab.hooks.policyChanged, forget);
  return (address) => {
    isFree ??= asIs(tab.policy());
    return isFree && isInlineable(address);
  };
}

function asIs({ pictures: { reencode, max_side } }: Settings): boolean {
  return !reencode && max_side === undefined;
}
