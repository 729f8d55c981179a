/** Capability records that the client gets from a decision, as the specification defines them. */
import type { Block } from './policy-file.ts';
import type { Settings, SiteSettings } from './settings.ts';
import { SITE_SETTINGS } from './settings.ts';
import { saidOf } from './tightening.ts';

/** A setting of a plugin that is sent to the client. */
export interface ClientSetting {
  /** Its path in a policy. */
  readonly path: readonly string[];
  /** Its place in the site capabilities. */
  readonly at: readonly string[];
  /** Its policy key, where it has one of its own. */
  readonly key?: string;
}

/** A record as it is sent. */
export type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Client capabilities of a person (M-021, S-103; related: R-033): those of the specification under their names, and one
 * switch per capability that plugins name. A plugin's is on unless the policy or a flag says otherwise; where both are
 * set, off wins, and the flag names the variant.
 *
 * @param named capabilities that switch plugins
 * @param assigned values of flags
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

/** Records of the core among the site capabilities: settings of plugins cannot use these names. */
export const CORE_RECORDS: readonly string[] = [
  ...Object.keys(SITE_SETTINGS.site_capabilities),
  'renderer',
  'session_settings',
  ...Object.keys(SITE_SETTINGS.session).map((name) => `session_settings.${name}`),
  'persistent_policy',
  'dlp',
];

/**
 * Site capabilities of a page (M-022) and the other values that the client needs for it (S-101, R-033), settings of
 * plugins included.
 */
export function siteCapabilities(settings: SiteSettings, sent: readonly ClientSetting[]): Capabilities {
  const { site_capabilities, session, persistent_policy, renderer, dlp } = settings;
  const records = {
    ...present(site_capabilities),
    renderer,
    session_settings: { ...session },
    persistent_policy: present(persistent_policy),
    dlp,
  };
  return withClientSettings(records, settings, sent);
}

/** Adds the settings that are sent to the client at their places in a record. */
function withClientSettings(record: object, settings: object, sent: readonly ClientSetting[]): Record<string, unknown> {
  const result: Record<string, unknown> = { ...record };
  for (const { path, at } of sent) {
    const value = saidOf(settings as Block, path); // settings are a block of effective values
    const [first = '', second] = at;
    if (value === undefined) continue;
    result[first] = second === undefined ? value : { ...(result[first] as object | undefined), [second]: value }; // records hold records
  }
  return result;
}

/** Look of banners, sent at pairing (S-051). */
export function customizationOf({ banner, bandwidth_banner }: SiteSettings): Capabilities {
  const { banner_hidden: _hidden, ...look } = banner;
  return { banner: present(look), bandwidth: present(bandwidth_banner) };
}

/** Answers of POST /r/policy/query (S-005, S-047, S-049, S-098, R-033), by policy key. */
export function policyAnswers(settings: SiteSettings, sent: readonly ClientSetting[]): Capabilities {
  const { feedback, persistent_policy, session, banner, bandwidth_banner } = settings;
  const site = siteCapabilities(settings, sent);
  const named = sent.flatMap(({ path, key }) => (key === undefined ? [] : [[key, saidOf(settings as Block, path)]])); // as above
  return present({
    ...Object.fromEntries(sent.map(({ at: [record = ''] }) => [record, site[record]])),
    ...(Object.fromEntries(named) as object),
    ...feedback,
    ...persistent_policy,
    ...session,
    persistent_policy,
    banner_customization: { ...banner, bandwidth: bandwidth_banner },
  });
}

/** Removes undefined values at any depth: JSON cannot hold them. */
function present(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
      if (each === undefined) return [];
      return [[name, typeof each === 'object' && each !== null && !Array.isArray(each) ? present(each) : each]];
    }),
  );
}
