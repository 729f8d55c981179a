/**
 * Entry for main halves. They run in the page's own world, before its scripts, and replace functions of the page whose calls need the
 * person's consent. They make no decisions: security decisions are made where the page's scripts have no access.
 */
export type { ActivateMain, PageCall } from './contracts/main-half.ts';
export { interceptMethod } from './kernel/intercept-method.ts';
