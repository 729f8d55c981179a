/**
 * Entry for main halves: they run in the page's own world, before its scripts, and stand in for what the page calls that a person has
 * to be asked for. They decide nothing: what protects is decided where the page's scripts do not reach.
 */
export type { ActivateMain, PageCall } from './contracts/main-half.ts';
export { standBefore } from './kernel/stand-before.ts';
