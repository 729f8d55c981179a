/** What a decision means to the client: the records of the specification. */
import type { Settings, SiteSettings } from './settings.ts';

/** A record as it is sent. */
export type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Client capabilities of a person (M-021, S-103, R-033's kin): the specification's under their names, and one switch per capability that
 * plugins name. A plugin's is on unless the policy or a flag says otherwise; where both speak, off wins, and the flag names the variant.
 *
 * @param named capabilities that plugins are switched by
 * @param assigned what flags say
 */
export function clientCapabilities(
  settings: Settings,
  named: Iterable<string>,
  assigned: ReadonlyMap<string, { readonly value: boolean | string }>,
): Capabilities {
  const { client_capabilities: own, capabilities: switched } = settings;
  const result: Record<string, unknown> = present(own);
  for (const name of named) {
    const decided = Object.hasOwn(own, name) ? own[name as keyof typeof own] : undefined; // it is one of them
    result[name] = decided ?? (Object.hasOwn(switched, name) ? switched[name] : true);
  }
  for (const [name, value] of Object.entries(switched))
    result[name] = value === false ? false : (result[name] ?? value);
  for (const [name, { value }] of assigned) {
    const before = result[name] ?? true;
    if (before === true || (typeof before === 'string' && value !== true)) result[name] = value;
  }
  return result;
}

/** Site capabilities of a page (M-022), and the rest of what the client is told of it (S-101, R-033). */
export function siteCapabilities(settings: SiteSettings): Capabilities {
  const { site_capabilities, copy_paste, session, persistent_policy, renderer, dlp, transfers } = settings;
  return {
    ...present(site_capabilities),
    renderer,
    copy_paste_policy: copy_paste,
    session_settings: { ...session, paste_restriction: copy_paste.restrict_paste },
    persistent_policy: present(persistent_policy),
    dlp,
    transfers,
  };
}

/** The look of banners, told at pairing (S-051). */
export function customizationOf({ banner, bandwidth_banner }: SiteSettings): Capabilities {
  const { banner_hidden: _hidden, ...look } = banner;
  return { banner: present(look), bandwidth: present(bandwidth_banner) };
}

/** What POST /r/policy/query can be asked for (S-005, S-047, S-049, S-098, R-033), by policy key. */
export function policyAnswers(settings: SiteSettings): Capabilities {
  const { feedback, persistent_policy, copy_paste, session, banner, bandwidth_banner } = settings;
  return present({
    ...feedback,
    ...persistent_policy,
    ...copy_paste,
    ...session,
    paste_restriction: copy_paste.restrict_paste,
    persistent_policy,
    copy_paste_policy: copy_paste,
    banner_customization: { ...banner, bandwidth: bandwidth_banner },
  });
}

/** A record without what is undefined, at any depth: JSON has no word for it, and nor has a structured clone's reader. */
function present(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
      if (each === undefined) return [];
      return [[name, typeof each === 'object' && each !== null && !Array.isArray(each) ? present(each) : each]];
    }),
  );
}
