import fc from 'fast-check';
import { PolicyError } from '../policy-error.ts';
import { Setting } from '../setting.ts';
import type { SettingTree } from '../setting.ts';
import type { Subject } from '../decision.ts';
import { ENFORCED, parsed } from './own-settings.ts';

export const ANNA: Subject = { subject: 'anna', tenant: 'default', groups: [] };

/** A policy file with every key: each value differs from the default. */
export const FULL = `# yaml-language-server: $schema=../vitrine.policy.schema.json
tenants:
  default:
    policy:
      renderer: compositor
      feedback:
        enable_feedback: true
        enable_bypass: true
        enable_logo: false
        enable_flash: true
        indicate_readonly: true
        notification_customization:
          default:
            content: { indicator_type: wide }
            css: { background_color: '#fff', border_color: '#A0b1C2', text_color: '#000', font_family: verdana }
            logo_icon: { base64_img: 'data:image/png;base64,iVBORw0KGgo=' }
            readonly_indicator: { text: Read only / no input, iframe_text: Read only, tooltip: Typing is off }
            bypass_indicator: { text: Leave isolation, tooltip: Opens the site itself }
            isolate_indicator: { text: Isolated, tooltip: Shown from afar, display_text: true }
            custom_link: { show_link: true, link_url: 'https://intra.example/policy', link_text: Our policy }
      persistent_policy:
        entry_action: read_only
        new_tabs: false
        user_experience_banner: coach
        explain:
          - factor_name: new_domain
            attributes: { age_days: 3, listed: false, by: feed }
        exit_url: https://intra.example/exit
        upgrade_action: confirm
      site_capabilities:
        disable_local_echo: true
        disable_local_echo_ext: true
        print_enabled: false
        framing_restriction: 2
        key_ctrl_wait: true
        allow_client_canvas_src: false
      pictures: { reencode: true, format: png, quality: 50, max_side: 2000 }
      resources: { request_for_device: true }
      watermark: { text: 'For {user}', print: true }
      copy_paste:
        disable_copy: true
        restrict_paste: true
        disable_img_ctx_menu_for_copy: true
        disable_all_ctx_menu_for_copy: true
        char_len_limit_if_paste_restricted: 500
        is_fail_closed_policy: false
      session: { backend_drag_drop: false, disable_all_context_menus: true, input_context_menu: backend, tab_menu_button: true }
      dlp: { inspect_input: true, inspect_uploads: true, inspect_downloads: true }
      local_echo: { tolerance: 5, tolerance_time: 5000, max_typeahead: 50, need_confirmation: true, show_alert: true }
      transfers:
        downloads: false
        uploads: false
        max_upload_megabytes: 3
        max_files: 4
        max_download_megabytes: 2
        keep_minutes: 5
        scan: required
        scan_failure: allow
        encrypted: block
        quarantine_days: 30
        rules: [{ types: [executables, 'image/*', .iso], action: block, message: Ask us, sites: ['*.example'], over_megabytes: 0.5, on: both }]
      permissions: { geolocation: true, pointer_lock: false }
      certificates: { accept_invalid: true }
      banner:
        banner_theme: red
        banner_type: wide
        font: arial
        background_color: '#123456'
        border_color: '#123'
        text_color: '#fff'
        logo: https://intra.example/logo.png
        text: You browse in isolation
        link: { url: 'http://intra.example/why', text: Why }
        buttons: { exit_readonly: Type here, details: Details, exit: Leave }
        warning_modal: { title: Careful, text: This site is new, confirm: Go on, cancel: Stay }
        banner_hidden: true
      bandwidth_banner:
        theme: white
        css: { background_color: '#eee', border_color: '#ddd', text_color: '#111', font_family: times }
        text: Much traffic
        acknowledge_label: I see
      capabilities: { find_in_page: compact, print: false }
      client_capabilities:
        applicationLinks: [zoommtg, msteams]
        disable_long_poll: true
        enable_reconnect_banner: false
        insecure_form_warning: false
        no_feedback_bar_springback: true
        restore_tab: false
        preload_indicator: false
        docview_modal: false
        custom_file_block_page: true
        mpfd_cof_uploads: false
        dlp_disable_cof: true
        dlp_block_codes: [403, 12345]
        dlp_retry_input: 3
        dlp_retry_codes_input: [502]
        dlp_ignore_error_input: true
        dlp_ignore_error_codes_input: [504]
        dlp_soft_error_input: true
        dlp_soft_error_codes_input: [500]
        dlp_do_not_show_block_payload: true
        dlp_do_not_show_block_payload_uploads: true
        dlp_show_block_payload_codes: [12345, 12346]
        safedocs_block_print: true
        local_echo: { enabled: false, extended: false }
        debug_hud: true
        perf: { pull_timeout: 15000 }
      egress: { allow: ['*.example'], block: [bad.example, 'worse.example:8443'], message: Not from here, redirect: 'https://intra.example/no' }
      look: { theme: dark, font: georgia, accent_color: '#0a6e5c', background_color: '#123', text_color: '#eee', logo: 'data:image/png;base64,iVBORw0KGgo=' }
      framebust: { enabled: true, domains: [login.example] }
      bandwidth: { warn_megabytes: 100, exceed_megabytes: 200.5, block_megabytes: 300 }
      limits: { tabs: 3, idle_seconds: 60, lifetime_seconds: 3600 }
    sites:
      - match: ['*.bank.example', 'https://wiki.example/private/*']
        policy: { transfers: { uploads: false } }
    groups:
      staff:
        policy: { limits: { tabs: 2 } }
    users:
      anna: { groups: [staff] }
flags:
  find_in_page:
    state: ENABLED
    variants: { 'on': true, 'off': false, compact: compact }
    defaultVariant: 'on'
    targeting: { if: [{ in: [staff, { var: groups }] }, { fractional: [[compact, 50], ['off', 50]] }, 'on'] }
`;

/** A file whose default tenant has this policy, as indented YAML or as data. */
export function tenantFile(policy: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ tenants: { default: { policy, ...more } } });
}

/** The faults of a file as `line:column: reason`; none when it is valid. */
export function faultsOf(source: string): string[] {
  try {
    parsed(source);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof PolicyError)) throw thrown;
    return thrown.message.split('\n').map((line) => line.replace(/^p\.yaml:/, ''));
  }
}

/** A block with one setting. */
export function blockOf(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

const address = fc
  .webUrl({ validSchemes: ['https'], withFragments: false, withQueryParameters: false })
  .filter((url) => !url.includes("'")); // which is written %27
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const hostName = fc.tuple(fc.constantFrom('', '*.'), word).map(([prefix, name]) => `${prefix}${name}.example`);
const inlinePicture = fc.base64String({ minLength: 4 }).map((text) => `data:image/gif;base64,${text}`);
const codes = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 });

/** Values for settings without a generic generator. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  applicationLinks: fc.uniqueArray(word, { maxLength: 3 }),
  domains: fc.uniqueArray(word, { maxLength: 3 }),
  allow: fc.uniqueArray(hostName, { maxLength: 3 }),
  block: fc.uniqueArray(hostName, { maxLength: 3 }),
  capabilities: fc.dictionary(word, fc.oneof(fc.boolean(), word), { maxKeys: 3 }),
  perf: fc.dictionary(word, fc.integer(), { maxKeys: 2 }),
  explain: fc.array(fc.record({ factor_name: word }), { maxLength: 2 }),
  base64_img: inlinePicture,
  dlp_retry_input: fc.nat(20),
  display_text: fc.boolean(),
  show_link: fc.boolean(),
  logo: inlinePicture,
  url: address,
  redirect: address,
  rules: fc.array(
    fc.record(
      {
        action: fc.constantFrom('allow', 'quarantine', 'block'),
        on: fc.constantFrom('download', 'upload', 'both'),
        types: fc.constantFrom(['executables'], ['image/*', '.iso']),
        over_megabytes: fc.nat(9),
        sites: fc.constant(['*.example']),
        message: word,
      },
      { requiredKeys: ['action'] },
    ),
    { maxLength: 3 },
  ),
};

/** Fields of valibot's schemas that its types hide here. */
interface SchemaData {
  readonly type: string;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[];
}

/** Integers within the bounds of a schema, of 1000 at most. */
function numberOf(pipe: NonNullable<SchemaData['pipe']>): fc.Arbitrary<number> {
  const bound = (type: string, otherwise: number): number =>
    Number(pipe.find((action) => action.type === type)?.requirement ?? otherwise);
  const min = Math.ceil(bound('min_value', 1));
  return fc.integer({ min, max: Math.max(min, Math.min(1000, Math.floor(bound('max_value', 1000)))) });
}

function valueOf(name: string, setting: Setting<unknown>): fc.Arbitrary<unknown> {
  const found = BY_NAME[name];
  if (found) return found;
  const schema = setting.schema as unknown as SchemaData; // valibot's
  if (schema.type === 'picklist') return fc.constantFrom(...(schema.options ?? []));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return codes;
  if (schema.type === 'number') return numberOf(schema.pipe ?? []);
  if (name.endsWith('_url')) return address;
  return name.endsWith('_color') ? fc.constantFrom('#fff', '#012345') : word;
}

/** Arbitrary blocks that pass the schema, with any settings of a tree. */
export function blocks(tree: SettingTree = ENFORCED.level): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(tree).map(
    ([name, entry]) => [name, entry instanceof Setting ? valueOf(name, entry) : blocks(entry)] as const,
  );
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
}
