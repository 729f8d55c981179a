import { slot } from '../../../core/index.ts';
import type { ClientScope, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import styles from './keys.css';
import { textsOf } from './texts.ts';

export type KeysProps = { readonly texts: Texts; readonly isMac: boolean } & DialogProps<void>;

const keysSlot = slot<KeysProps>('clipboard.keys', 'dialog');
const contribution: SlotContribution<KeysProps> = { load: () => import('./keys.tsx'), styles: [styles] };

/** Shows by which keys to copy and paste (M-009); resolves when the person has read it. */
export async function showKeys(scope: ClientScope): Promise<void> {
  const texts = await textsOf(scope);
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  await scope.slots.ask(keysSlot, contribution, { texts, isMac }, scope.signal);
}
