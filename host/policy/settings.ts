/**
 * Every setting of the core, once: its schema, its default, and whether inner levels may only tighten it. Plugins
 * declare theirs in their manifests. A setting that nothing in the build acts on yet is marked so, with the reason and
 * the values that hold anyway; `tests/contract/settings.cases.ts` keeps these marks true.
 */
import * as v from 'valibot';
import {
  bannerTheme,
  barType,
  colour,
  font,
  inlineLogo,
  plainText,
  readOnlyText,
  webAddress,
} from './customization.ts';
import { canMeet } from './host-overlap.ts';
import { hostPattern } from './host-pattern.ts';
import { allowance, allowed, bound, demand, everyLevel, free, ranked, refused } from './setting.ts';
import { switches, unenforcedSection } from './setting.ts';
import type { ValuesOf } from './setting.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));
const positive = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
const megabytes = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9));
const code = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99_999));
const scheme = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(
    /^(?!(?:javascript|vbscript|data|blob|file|filesystem|https?|wss?|ftp|about|view-source|intent|android-app)(?::|$))[a-z][a-z0-9+.-]*(?::[!-~]*)?$/,
    'write the scheme of an app, such as zoommtg, or the beginning of its addresses, such as zoommtg://zoom.us/',
  ),
);
const domain = v.pipe(
  v.string(),
  v.maxLength(253),
  v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'write a domain, such as login.example, in lower case'),
);
const attribute = v.union([v.pipe(v.string(), v.maxLength(1000)), v.number(), v.boolean()]);
const attributeName = v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/, 'write letters, digits, _ and -'));
const factor = v.strictObject({
  factor_name: plainText,
  attributes: v.exactOptional(v.record(attributeName, attribute)),
});

const NO_FEEDBACK_BAR = 'there is no feedback bar yet';
const NO_READ_ONLY = 'no page is read-only yet';
const NO_BANNER = 'there is no such banner yet';
const NO_INSPECTION = 'nothing is inspected yet';
const NO_OTHER_WAY = 'files always go through it';
const NO_BLOCKED_FILES = 'the reason is shown in the tray of downloads';
const NO_DOCUMENTS = 'documents are not sanitized yet';
const NO_TRAFFIC_NOTICE = 'nothing shows the notice yet';

/** Style of a bar or banner. */
const css = {
  background_color: free(colour, undefined, 'Background, #RGB or #RRGGBB'),
  border_color: free(colour, undefined, 'Border, #RGB or #RRGGBB'),
  text_color: free(colour, undefined, 'Text, #RGB or #RRGGBB'),
  font_family: free(font, undefined, 'Font'),
};

/**
 * Settings that may differ from site to site: sent to the client again on each navigation, or answered to POST
 * /r/policy/query.
 */
export const SITE_SETTINGS = {
  renderer: ranked(
    ['mirror', 'compositor'],
    'mirror',
    'How pages are shown: as a rebuilt document, or as pictures only, so that no markup of the site reaches the browser',
  ).unenforced('the compositor does not show pages yet'),
  feedback: {
    enable_bypass: allowance(false, 'Offer to leave isolation for this site, in the menu of the tab'),
    ...unenforcedSection(
      {
        enable_feedback: free(v.boolean(), false, 'Show the feedback bar'),
        enable_logo: free(v.boolean(), true, 'Show a logo in the feedback bar').unenforced(NO_FEEDBACK_BAR, false),
        enable_flash: free(v.boolean(), false, 'Animate the feedback bar to draw attention'),
        indicate_readonly: free(v.boolean(), false, 'Show that the page is read-only'),
        notification_customization: {
          default: {
            content: { indicator_type: free(barType, undefined, 'Width of the bar; always regular on mobile') },
            css,
            logo_icon: { base64_img: free(inlineLogo, undefined, 'Logo, as data:image/...;base64,...') },
            readonly_indicator: {
              text: free(readOnlyText, undefined, 'Read-only label'),
              iframe_text: free(readOnlyText, undefined, 'Read-only label within frames'),
              tooltip: free(plainText, undefined, 'Its tooltip'),
            },
            bypass_indicator: {
              text: free(plainText, undefined, 'Label of the bypass link'),
              tooltip: free(plainText, undefined, 'Its tooltip'),
            },
            isolate_indicator: {
              text: free(plainText, undefined, 'Label that says that the page is isolated'),
              tooltip: free(plainText, undefined, 'Its tooltip'),
              display_text: free(v.boolean(), undefined, 'Show the label beside the icon'),
            },
            custom_link: {
              show_link: free(v.boolean(), undefined, 'Show a link of your own'),
              link_url: free(webAddress, undefined, 'Its target'),
              link_text: free(plainText, undefined, 'Its text'),
            },
          },
        },
      },
      NO_FEEDBACK_BAR,
    ),
  },
  persistent_policy: {
    entry_action: ranked(['read_write', 'read_only'], 'read_write', 'Mode in which pages open').unenforced(
      'typing is not blocked on read-only pages yet',
    ),
    new_tabs: allowance(
      true,
      'Let links of pages be opened in new tabs and windows, and let pages open windows; never on pages entered read-only',
    ),
    user_experience_banner: free(
      v.picklist(['none', 'basic', 'coach']),
      'none',
      'Banner on pages entered read-only',
    ).unenforced(NO_BANNER),
    explain: free(v.pipe(v.array(factor), v.maxLength(20)), [], 'Reasons, of which three are shown').unenforced(
      NO_BANNER,
    ),
    exit_url: free(webAddress, undefined, 'Target of the exit button; without it there is no button').unenforced(
      NO_BANNER,
    ),
    upgrade_action: ranked(
      ['direct', 'confirm', 'none'],
      'direct',
      'How to leave read-only: immediately, after a confirmation, or never',
    ).unenforced(NO_READ_ONLY, 'none'),
  },
  site_capabilities: {
    disable_local_echo: free(v.boolean(), false, 'Do not echo typing locally'),
    disable_local_echo_ext: free(v.boolean(), false, 'Do not echo typing locally in rich editors'),
    framing_restriction: ranked(
      [2, 1],
      undefined,
      "Who may have the page in a frame, of the origins of --frame-ancestors: 1 nobody, 2 other origins than the service's; without it all of them",
    ),
    key_ctrl_wait: free(
      v.boolean(),
      false,
      "Send the browser's shortcuts to the page first, each until the page has shown that it does not use it",
    ),
  },
  pictures: {
    reencode: demand(
      false,
      'Convert pictures in a process of their own, so that none of their files but SVG reaches the browser; long animations show their first frame',
    ),
    format: free(v.picklist(['webp', 'png']), 'webp' as const, 'Target format').needing(
      'pictures.reencode',
      'pictures.max_side',
    ),
    quality: free(v.pipe(positive, v.maxValue(100)), 80, 'Quality of lossy formats, 1 to 100').needing(
      'pictures.reencode',
      'pictures.max_side',
    ),
    max_side: bound(positive, undefined, 'Maximum side of a picture in pixels; larger ones are scaled down'),
  },
  resources: {
    request_for_device: allowance(
      false,
      'Request from sites what only the browser of the person asks for, by its media queries, fonts or resolution: this tells them about the device',
    ),
  },
  session: {
    backend_drag_drop: allowance(true, 'Let people drag content into pages, files included'),
  },
  dlp: unenforcedSection(
    {
      inspect_input: demand(false, 'Inspect what is typed'),
      inspect_uploads: demand(false, 'Inspect uploads'),
      inspect_downloads: demand(false, 'Inspect downloads'),
    },
    NO_INSPECTION,
  ),
  banner: {
    banner_theme: free(bannerTheme, 'yellow', 'Colours of the banner'),
    font: free(font, undefined, 'Font'),
    background_color: free(colour, undefined, 'Background, #RGB or #RRGGBB'),
    border_color: free(colour, undefined, 'Border, #RGB or #RRGGBB'),
    text_color: free(colour, undefined, 'Text, #RGB or #RRGGBB; made lighter or darker where it could not be read'),
    ...unenforcedSection(
      {
        banner_type: free(barType, 'regular', 'Width of the banner'),
        logo: free(v.union([inlineLogo, webAddress]), undefined, 'Logo, as data:image/... or an address'),
        text: free(plainText, undefined, 'Text of the banner'),
        link: {
          url: free(webAddress, undefined, 'Target of the link'),
          text: free(plainText, undefined, 'Text of the link'),
        },
        buttons: {
          exit_readonly: free(plainText, undefined, 'Label of the button that leaves read-only'),
          details: free(plainText, undefined, 'Label of the button that shows the reasons'),
          exit: free(plainText, undefined, 'Label of the exit button'),
        },
        warning_modal: {
          title: free(plainText, undefined, 'Title of the confirmation before read-only is left'),
          text: free(plainText, undefined, 'Its text'),
          confirm: free(plainText, undefined, 'Label of the button that confirms'),
          cancel: free(plainText, undefined, 'Label of the button that cancels'),
        },
        banner_hidden: free(v.boolean(), false, 'Hide the banner at first'),
      },
      NO_BANNER,
    ),
  },
  bandwidth_banner: unenforcedSection(
    {
      theme: free(bannerTheme, 'yellow', 'Colours of the banner'),
      css,
      text: free(plainText, undefined, 'Text of the banner'),
      acknowledge_label: free(plainText, undefined, 'Label of its button'),
    },
    NO_BANNER,
  ),
};

/** Settings of a person, independent of the site: applied at pairing. */
export const PERSON_SETTINGS = {
  capabilities: switches('Plugins by capability: false turns one off, true or the name of a variant turns it on'),
  client_capabilities: {
    applicationLinks: allowed(
      scheme,
      [],
      'Apps that links may open at the person: schemes, or beginnings of addresses',
    ),
    disable_long_poll: free(v.boolean(), false, 'Do not fall back to polling where websockets fail'),
    insecure_form_warning: demand(true, 'Warn beside text fields on pages without https').unenforced(
      'nothing warns beside text fields yet',
      false,
    ),
    no_feedback_bar_springback: free(v.boolean(), false, 'A feedback bar that was hidden stays hidden').unenforced(
      NO_FEEDBACK_BAR,
    ),
    restore_tab: allowance(true, 'Restore tabs after a fault, with their cookies'),
    preload_indicator: free(v.boolean(), true, 'Show an indicator while a page loads').unenforced(
      'there is no such indicator yet',
      false,
    ),
    docview_modal: free(v.boolean(), true, 'Show documents in a dialog instead of in the whole page').unenforced(
      'there is no such dialog yet',
    ),
    custom_file_block_page: free(v.boolean(), false, 'Show a page of your own where a file is blocked').unenforced(
      NO_BLOCKED_FILES,
    ),
    mpfd_cof_uploads: free(v.boolean(), true, 'Upload through the cross-origin frame where the browser can').unenforced(
      NO_OTHER_WAY,
    ),
    ...unenforcedSection(
      {
        dlp_disable_cof: free(v.boolean(), false, 'Inspect without the cross-origin frame'),
        dlp_block_codes: refused(code, 'Inspection statuses that mean a block'),
        dlp_retry_input: free(v.pipe(count, v.maxValue(20)), 0, 'Number of retries for inspection of input'),
        dlp_retry_codes_input: free(v.array(code), [], 'Statuses that are retried'),
        dlp_ignore_error_input: allowance(false, 'Allow input when its inspection fails'),
        dlp_ignore_error_codes_input: allowed(code, [], 'Statuses for which it is allowed'),
        dlp_soft_error_input: allowance(false, 'Let people override a failed inspection of input'),
        dlp_soft_error_codes_input: allowed(code, [], 'Statuses that they may override'),
        dlp_do_not_show_block_payload: demand(false, 'Do not show blocked content'),
        dlp_do_not_show_block_payload_uploads: demand(false, 'Do not show which upload was blocked'),
        dlp_show_block_payload_codes: free(v.array(code), [], 'Statuses for which it is shown anyway'),
      },
      NO_INSPECTION,
    ),
    safedocs_block_print: demand(false, 'Disable printing of sanitized documents').unenforced(NO_DOCUMENTS),
    local_echo: {
      enabled: free(v.boolean(), true, 'Echo typing locally'),
      extended: free(v.boolean(), true, 'In rich editors too'),
    },
    perf: free(
      v.record(attributeName, v.pipe(v.number(), v.finite())),
      {},
      'Parameters of the channel by name',
    ).unenforced('the channel takes no parameters yet'),
  },
  look: {
    theme: free(
      v.picklist(['auto', 'light', 'dark']),
      'auto',
      'Whether everything of ours is light, dark, or as the browser prefers',
    ),
    font: free(font, undefined, 'Font'),
    accent_color: free(
      colour,
      undefined,
      'Buttons, links and focus, #RGB or #RRGGBB; made lighter or darker where it could not be read',
    ),
    background_color: free(colour, undefined, 'Background of dialogs, panels and pages of ours, #RGB or #RRGGBB'),
    text_color: free(
      colour,
      undefined,
      'Text on it, #RGB or #RRGGBB; made lighter or darker where it could not be read',
    ),
    logo: free(inlineLogo, undefined, 'Logo on the start page and on error pages, as data:image/...;base64,...'),
  },
  framebust: {
    enabled: free(v.boolean(), false, 'Open a page that is in a frame without a size in the whole window instead'),
    domains: free(
      v.pipe(v.array(domain), v.maxLength(1000)),
      [],
      'Domains of the pages for which that is done, with all below them',
    ).needing('framebust.enabled'),
  },
  egress: {
    allow: everyLevel(
      hostPattern,
      'Allowlist of hosts: a host must be allowed by every level that has a list, and inner lists may only name hosts that outer ones allow',
      canMeet,
    ),
    block: refused(hostPattern, 'Denylist of hosts'),
    message: free(plainText, undefined, 'Message for people when a host is refused'),
    redirect: free(
      webAddress,
      undefined,
      'Page, outside of isolation, that a new tab, a typed address or a reload opens instead of a refused one; where the service has TLS, one of http is not opened',
    ),
  },
  bandwidth: {
    warn_megabytes: bound(
      megabytes,
      undefined,
      'Traffic of a session in megabytes after which people get a warning',
    ).unenforced(NO_TRAFFIC_NOTICE),
    exceed_megabytes: bound(
      megabytes,
      undefined,
      'Traffic in megabytes after which they get a notice that it is too much',
    ).unenforced(NO_TRAFFIC_NOTICE),
    block_megabytes: bound(megabytes, undefined, 'Traffic in megabytes after which media are stopped').unenforced(
      'media are not stopped yet',
    ),
  },
  limits: {
    tabs: bound(positive, undefined, 'Maximum number of open tabs of a person'),
    idle_seconds: bound(positive, undefined, 'Time for which a tab without a client is kept'),
    lifetime_seconds: bound(positive, undefined, 'Time after which a session ends, with the tabs that are open'),
  },
};

/** Effective settings of a page, of the core. */
export type SiteSettings = ValuesOf<typeof SITE_SETTINGS>;
/**
 * Effective settings of a person on a page, of the core. Those that plugins declare are included in `SettingValues`.
 */
export type Settings = SiteSettings & ValuesOf<typeof PERSON_SETTINGS>;
