import { applicationLink } from '../../../core/protocol/application-link.ts';

/** Links of the view: how the host's paths begin in this shell, and which links may open the person's own applications. */
interface LinkRules {
  /** `/` or `/mpa/{id}/` (M-012). */
  readonly prefix: string;
  /** See {@link applicationLink}. */
  readonly applications: readonly string[];
}

/** Replaces a link that leads nowhere. */
const NOWHERE = '#';
const PAGE = /^\/https?:\/\//i;
const INERT = /^(?:#|about:blank(?:#|$))/i;

/** The rules of this shell, which shows one tab. */
let rules: LinkRules = { prefix: '/', applications: [] };

/** Sets the rules for links that are built from now on. */
export function useLinkRules(given: LinkRules): void {
  rules = given;
}

/** Returns the address that a link of the view gets for one from the host: it is checked again here (S-081, R-070). */
export function shownLink(address: string): string {
  if (PAGE.test(address)) return rules.prefix + address.slice(1);
  if (INERT.test(address)) return address;
  return applicationLink(address, rules.applications) ?? NOWHERE;
}
