import type { Attack } from './attacks.ts';

/** Attacks that the collections lack, by what they try. `{{canary}}` is an origin that nobody may ask for anything. */
export const OWN_ATTACKS: readonly Attack[] = [];
