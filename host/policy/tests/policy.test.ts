import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthBetween } from '../../../core/testing/growth.ts';
import { ENFORCED, parsed } from './own-settings.ts';
import { saidOf } from '../tightening.ts';
import { blockOf, blocks, faultsOf, FULL, tenantFile } from './policy-samples.ts';

const lines = (...text: readonly string[]): string => text.join('\n');

/** A file with a flag that has a targeting rule. */
const ruled = (targeting: unknown, $evaluators: object = {}): string =>
  JSON.stringify({
    tenants: {},
    flags: { find: { state: 'ENABLED', variants: { it: true }, defaultVariant: 'it', targeting } },
    $evaluators,
  });

/** The settings that the specification names, under their keys here. */
const SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  feedback: ['enable_feedback', 'enable_bypass', 'enable_logo', 'indicate_readonly'],
  'feedback.notification_customization.default.content': ['indicator_type'],
  'feedback.notification_customization.default.css': [
    ...['background_color', 'border_color', 'text_color', 'font_family'],
  ],
  'feedback.notification_customization.default.logo_icon': ['base64_img'],
  'feedback.notification_customization.default.readonly_indicator': ['text', 'tooltip'],
  'feedback.notification_customization.default.bypass_indicator': ['text', 'tooltip'],
  'feedback.notification_customization.default.isolate_indicator': ['text', 'tooltip', 'display_text'],
  'feedback.notification_customization.default.custom_link': ['show_link', 'link_url', 'link_text'],
  persistent_policy: ['entry_action', 'user_experience_banner', 'explain', 'exit_url', 'upgrade_action'],
  session: ['backend_drag_drop', 'disable_all_context_menus', 'input_context_menu'],
  copy_paste: [
    ...['disable_copy', 'restrict_paste', 'disable_img_ctx_menu_for_copy', 'disable_all_ctx_menu_for_copy'],
    ...['char_len_limit_if_paste_restricted', 'is_fail_closed_policy'],
  ],
  client_capabilities: [
    ...['no_feedback_bar_springback', 'restore_tab', 'preload_indicator', 'dlp_show_block_payload_codes'],
    ...['applicationLinks', 'enable_reconnect_banner', 'insecure_form_warning', 'docview_modal'],
    ...['custom_file_block_page', 'mpfd_cof_uploads', 'dlp_disable_cof', 'dlp_block_codes', 'dlp_retry_input'],
    ...['dlp_retry_codes_input', 'dlp_ignore_error_input', 'dlp_ignore_error_codes_input', 'dlp_soft_error_input'],
    ...['dlp_soft_error_codes_input', 'dlp_do_not_show_block_payload', 'dlp_do_not_show_block_payload_uploads'],
  ],
  site_capabilities: [
    ...['disable_local_echo', 'disable_local_echo_ext', 'print_enabled', 'framing_restriction', 'key_ctrl_wait'],
    'allow_client_canvas_src',
  ],
  banner: ['banner_theme', 'banner_type', 'font', 'background_color', 'border_color', 'text_color', 'logo', 'text'],
  'banner.link': ['url', 'text'],
  'banner.warning_modal': ['title', 'text', 'confirm', 'cancel'],
  bandwidth_banner: ['theme', 'text', 'acknowledge_label'],
};

describe('a policy file', () => {
  it('[R-033] may have every key of the specification, and the sample has every key', () => {
    const { content } = parsed(FULL);
    const block = content.tenants['default']?.policy ?? {};
    for (const [section, names] of Object.entries(SPECIFIED))
      for (const name of names)
        expect(saidOf(block, [...section.split('.'), name]), `${section}.${name}`).toBeDefined();
    for (const { path: setting, setting: declared } of ENFORCED.leaves) {
      const value = saidOf(block, setting);
      const how = `${setting.join('.')}: give it a value that is not its default, in FULL of policy-samples.ts`;
      expect(value, how).toBeDefined();
      expect(value, how).not.toEqual(declared.fallback);
    }
  });

  it.each<[what: string, source: string, fault: RegExp]>([
    ['nothing', '', /^1:1: the file is empty$/],
    ['a comment alone', '# soon', /^1:1: the file is empty$/],
    ['null', '~', /^1:1: .*expected Object, not null/],
    ['a text', 'allow everything', /^1:1: .*expected Object/],
    ['a list', '- tenants', /^1:1: the file: expected names with values, not a list/],
    ['a list of tenants', 'tenants: [acme]', /^1:10: tenants: expected names with values, not a list/],
    ['an empty list of settings', tenantFile([]), /policy: expected names with values/],
    ['a list of switches', tenantFile({ capabilities: [true] }), /capabilities: expected names with values/],
    ['no tenants', 'flags: {}', /^1:1: "tenants" is missing$/],
    [
      'a misspelt key',
      lines('tenants:', '  a:', '    polcy: {}'),
      /^3:5: unknown key "polcy": expected one of policy, sites, groups, users$/,
    ],
    [
      'a misspelt section',
      tenantFile({ copypaste: {} }),
      /^1:\d+: unknown key "copypaste": expected one of .*copy_paste/,
    ],
    ['a section that is a value', tenantFile({ copy_paste: true }), /copy_paste: expected Object, not true$/],
    ['a key of the wrong case', tenantFile({ dlp: { Inspect_Input: true } }), /unknown key "Inspect_Input"/],
    [
      'yes for true',
      lines('tenants:', '  a:', '    policy:', '      dlp:', '        inspect_input: yes'),
      /^5:24: inspect_input: expected boolean, not "yes": write true or false/,
    ],
    ['a quoted boolean', tenantFile({ dlp: { inspect_input: 'true' } }), /expected boolean, not "true"/],
    ['a number as text', tenantFile({ limits: { tabs: '3' } }), /tabs: expected number, not "3"/],
    ['a fraction of a tab', tenantFile({ limits: { tabs: 1.5 } }), /tabs: /],
    ['no tabs', tenantFile({ limits: { tabs: 0 } }), /tabs: expected >=1, not 0/],
    [
      'a negative bound',
      tenantFile({ copy_paste: { char_len_limit_if_paste_restricted: -1 } }),
      /expected >=0, not -1/,
    ],
    ['not a number', 'tenants: { a: { policy: { limits: { tabs: .nan } } } }', /expected number, not NaN|integer|tabs/],
    ['infinitely many', 'tenants: { a: { policy: { limits: { tabs: .inf } } } }', /tabs: /],
    [
      'an unknown renderer',
      tenantFile({ renderer: 'png' }),
      /renderer: expected \("mirror" \| "compositor"\), not "png"/,
    ],
    [
      'an unknown banner',
      tenantFile({ persistent_policy: { user_experience_banner: 'loud' } }),
      /"none" \| "basic" \| "coach"/,
    ],
    ['an entry that is none', tenantFile({ persistent_policy: { entry_action: 'readonly' } }), /"read_only"/],
    [
      'an exit that is not an address',
      tenantFile({ persistent_policy: { exit_url: 'javascript:alert(1)' } }),
      /exit_url: write an address that starts with http/,
    ],
    [
      'a person setting of a site',
      tenantFile({}, { sites: [{ match: '*', policy: { limits: { tabs: 1 } } }] }),
      /unknown key "limits"/,
    ],
    ['a site rule for nothing', tenantFile({}, { sites: [{ policy: {} }] }), /"match" is missing/],
    ['a site rule that says nothing', tenantFile({}, { sites: [{ match: '*' }] }), /"policy" is missing/],
    ['an empty list of sites', tenantFile({}, { sites: [{ match: [], policy: {} }] }), /match/],
    ['a host in capitals', tenantFile({}, { sites: [{ match: 'Example.org', policy: {} }] }), /match: write host/],
    ['a star in a name', tenantFile({}, { sites: [{ match: 'ex*.org', policy: {} }] }), /match: write host/],
    [
      'a scheme that is none',
      tenantFile({}, { sites: [{ match: 'ftp://x.example', policy: {} }] }),
      /match: write host/,
    ],
    ['a query in a site', tenantFile({}, { sites: [{ match: 'x.example/?a=b', policy: {} }] }), /match: write host/],
    ['a port out of range', tenantFile({}, { sites: [{ match: 'x.example:65536', policy: {} }] }), /match: write host/],
    ['one in an egress rule', tenantFile({ egress: { block: ['x.example:99999'] } }), /block: write host/],
    [
      'control characters in a text',
      tenantFile({ banner: { text: 'a\0b' } }),
      /text: write it .*without control characters/,
    ],
    [
      'a fraction where numbers are whole',
      tenantFile({ limits: { tabs: 1.5 } }),
      /tabs: expected a whole number, not 1\.5/,
    ],
    ['an unknown operator', ruled({ if: [{ nope: [1] }, 'it'] }), /^1:\d+: unknown operator nope$/],
    ['two operators in one', ruled({ or: [true], and: [true] }), /and is beside or: a rule has one operator$/],
    [
      'an unknown fact',
      ruled({ if: [{ '===': [{ var: 'tenannt' }, 'a'] }, 'it'] }),
      /unknown fact "tenannt": expected one of .*tenant/,
    ],
    ['a part of one', ruled({ if: [{ var: ['browser.nam', ''] }, 'it'] }), /unknown fact "browser\.nam"/],
    [
      'an unknown shared rule',
      ruled({ if: [{ $ref: 'stuff' }, 'it'] }, { staff: true }),
      /\$ref: unknown rule "stuff" in \$evaluators: expected one of staff$/,
    ],
    [
      'shared rules in a circle',
      ruled({ $ref: 'a' }, { a: { $ref: 'b' }, b: { and: [{ $ref: 'a' }] } }),
      /\$ref: a is not further down/,
    ],
    ['a path in an egress rule', tenantFile({ egress: { block: ['x.example/path'] } }), /block: write host/],
    ['a scheme in an egress rule', tenantFile({ egress: { allow: ['https://x.example'] } }), /allow: write host/],
    [
      'a dangerous app link',
      tenantFile({ client_capabilities: { applicationLinks: ['javascript'] } }),
      /applicationLinks: write the scheme/,
    ],
    [
      'an app link to a page',
      tenantFile({ client_capabilities: { applicationLinks: ['https://zoom.us/'] } }),
      /applicationLinks: write the scheme/,
    ],
    [
      'a group that is not there',
      tenantFile({}, { users: { anna: { groups: ['staff'] } } }),
      /unknown group "staff" in this tenant$/,
    ],
    [
      'thresholds in the wrong order',
      tenantFile({ bandwidth: { warn_megabytes: 5, block_megabytes: 3 } }),
      /block_megabytes is below warn_megabytes/,
    ],
    ['a key twice', lines('tenants:', '  a: {}', '  a: {}'), /^3:3: Map keys must be unique/],
    ['a tab for an indent', 'tenants:\n\ta: {}', /^2:1: /],
    ['a bracket too few', 'tenants: { a: {}', /: Flow map/],
    ['a wrong indent', lines('tenants:', '  a:', '    policy: {}', '   sites: []'), /^4:/],
    ['two documents', lines('tenants: {}', '---', 'tenants: {}'), /^2:1: a second document/],
    ['an alias of nothing', 'tenants: *all', /there is no anchor &all/],
    ['an alias within what it stands for', 'tenants: &all { default: *all }', /^1:26: \*all is within its own &all$/],
    ['one that does so further in', 'tenants: &a { t: &b { users: { x: *b } } }', /^1:35: \*b is within its own &b$/],
    [
      'more aliases than anybody writes',
      `tenants: { t: &t {} }\nx: [${Array(1001).fill('*t').join()}]`,
      /^1:1: 1001 aliases/,
    ],
    ['brackets in brackets', '['.repeat(100_000), /^1:\d+: nested too deeply$/],
    ['a tag', 'tenants: !!js/function "x"', /^1:10: /],
    ['a merge key', lines('tenants:', '  a: &a {}', '  b:', '    <<: *a'), /unknown key "<<"/],
    ['a key that is a list', 'tenants: { ? [a] : {} }', /keys must be/i],
    ['a name that objects have', 'tenants: { __proto__: {} }', /__proto__ cannot be a name/],
    ['another such name', tenantFile({}, { users: { constructor: {} } }), /constructor cannot be a name/],
    [
      'an unquoted colour',
      lines('tenants:', '  a:', '    policy:', '      banner:', '        text_color: #fff'),
      /^5:\d+: text_color: expected string, not null/,
    ],
    ['a name without a value', lines('tenants:', '  a:'), /a: expected Object, not null/],
  ])('is refused with its place and a reason: %s', (_what, source, fault) => {
    const faults = faultsOf(source);
    expect(
      faults.some((each) => fault.test(each)),
      faults.join('\n'),
    ).toBe(true);
    for (const each of faults) expect(each).toMatch(/^\d+:\d+: \S/);
  });

  it('is refused when its aliases expand it too much', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join()}]`),
    ];
    expect(faultsOf(bomb.join('\n'))).toEqual([expect.stringMatching(/alias/i)]);
  });

  it('may use shared rules further down, facts of the person, and list operators', () => {
    const staff = { some: [{ var: 'groups' }, { in: ['staff', { var: '' }] }] };
    const rule = { if: [{ and: [{ $ref: 'a' }, { '>': [{ var: 'browser.version' }, 100] }] }, 'it', null] };
    expect(faultsOf(ruled(rule, { a: { or: [{ $ref: 'b' }, { var: 'tenant' }] }, b: staff }))).toEqual([]);
  });

  it('reports faults between levels beside malformed parts, and no present key as missing', () => {
    const file = lines(
      'tenants:',
      '  t:',
      '    policy: { dlp: { inspect_input: true }, colour: red }',
      '    sites: [{ match: Example.org, policy: {} }]',
      '    groups: { staff: null }',
      '    users:',
      '      anna: { groups: [staff, stuff], policy: { dlp: { inspect_input: false }, egress: { block: [1] } } }',
      'flags:',
      '  x: { state: ON, variants: { it: true }, defaultVariant: is }',
      '  y: { state: ENABLED, variants: { it: true }, defaultVariant: is }',
    );
    expect(faultsOf(file)).toEqual([
      expect.stringMatching(/^3:\d+: unknown key "colour"/),
      expect.stringMatching(/^4:\d+: match: write host/),
      expect.stringMatching(/^5:\d+: staff: expected Object/),
      expect.stringMatching(/^7:\d+: unknown group "stuff" in this tenant: expected one of staff$/),
      expect.stringMatching(/^7:\d+: dlp\.inspect_input is looser than line 3:/),
      expect.stringMatching(/^7:\d+: block: expected string, not 1/),
      expect.stringMatching(/^9:\d+: state: /),
      expect.stringMatching(/^9:\d+: unknown variant is/),
      expect.stringMatching(/^10:\d+: unknown variant is/),
    ]);
  });

  it('is read in linear time, valid or not', () => {
    const users = (count: number, policy: string): string =>
      lines('tenants:', '  t:', '    users:', ...Array.from({ length: count }, (_, i) => `      user-${i}: ${policy}`));
    faultsOf(users(1000, '{}'));
    for (const policy of ['{}', '{ x: 1 }']) {
      // Twelve times as long; comparing each name with all the others would be 144 times the work.
      const measured = { input: (count: number) => users(count, policy), run: faultsOf };
      expect(growthBetween(measured, 48, [1000, 12_000])).toBeLessThan(48);
    }
  });

  it('reports all its faults at once, sorted, and limited in number', () => {
    expect(faultsOf(lines('tenants:', '  a: { x: 1 }', '  b: { y: 2 }')).map((each) => each.split(':')[0])).toEqual([
      '2',
      '3',
    ]);
    const many = lines('tenants:', ...Array.from({ length: 500 }, (_, i) => `  t${i}: { x: 1 }`));
    expect(faultsOf(many)).toHaveLength(21);
    expect(faultsOf(many).at(-1)).toMatch(/and 480 more$/);
  });

  it.each<[path: string, value: unknown, why: RegExp]>([
    ['logo_icon.base64_img', 'https://x.example/logo.png', /data:image/],
    ['logo_icon.base64_img', 'data:image/webp;base64,AAAA', /gif, png, jpeg or svg\+xml/],
    ['logo_icon.base64_img', 'data:image/png;base64,<svg>', /data:image/],
    ['logo_icon.base64_img', "data:image/png;base64,AAAA'); x: url('", /data:image/],
    ['css.text_color', 'red', /#RGB or #RRGGBB/],
    ['css.text_color', '#ffff', /#RGB or #RRGGBB/],
    ['css.background_color', '#fff;x', /#RGB or #RRGGBB/],
    ['css.font_family', 'comic sans', /"arial"/],
    ['content.indicator_type', 'huge', /"wide" \| "regular"/],
    ['custom_link.link_url', 'ftp://x.example', /http/],
    ['custom_link.link_url', 'https://', /http/],
    ['custom_link.link_url', '//x.example', /http/],
    ['custom_link.link_text', '<b>bold</b>', /without < > " and \//],
    ['isolate_indicator.text', 'a/b', /without < > " and \//],
    ['bypass_indicator.tooltip', 'say "x"', /without < > " and \//],
    ['readonly_indicator.text', '<i>', /without < > and "/],
  ])('refuses a customization that the client would drop: %s %j', (name, value, why) => {
    const block = blockOf(['feedback', 'notification_customization', 'default', ...name.split('.')], value);
    expect(faultsOf(tenantFile(block))).toEqual([expect.stringMatching(why)]);
  });

  it('allows a slash in the read-only text', () => {
    const block = blockOf(
      ['feedback', 'notification_customization', 'default', 'readonly_indicator', 'text'],
      'on/off',
    );
    expect(faultsOf(tenantFile(block))).toEqual([]);
  });

  it('takes any block of valid settings, at any level', () => {
    const long = process.env['VITRINE_LONG'] === undefined ? 50 : 1000;
    fc.assert(
      fc.property(blocks(), blocks(ENFORCED.site), (block, site) => {
        delete block['bandwidth']; // whose order is tested separately
        expect(faultsOf(tenantFile(block))).toEqual([]);
        const elsewhere = {
          tenants: {
            t: {
              groups: { g: { policy: block } },
              users: { u: { policy: block } },
              sites: [{ match: '*', policy: site }],
            },
          },
        };
        expect(faultsOf(JSON.stringify(elsewhere))).toEqual([]);
      }),
      { numRuns: long },
    );
  });

  it('is either read or refused, whatever its content', () => {
    const pieces = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...FULL.split('\n'),
        '  ',
        '\n',
        '- ',
        ': ',
        '&a ',
        '*a',
        '!!x ',
        '? ',
        '"',
        "'",
        '{',
        ']',
        '\t',
        '---\n',
        '\u0000',
        '\ufeff',
      ),
    );
    const long = process.env['VITRINE_LONG'] === undefined ? 200 : 5000;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.constantFrom('', '\n'), (parts, glue) => {
        for (const each of faultsOf(parts.join(glue))) expect(each).toMatch(/^(\d+:\d+: \S| and \d+ more)/);
      }),
      { numRuns: long },
    );
  });

  it('with any line removed or doubled is read, or refused with an existing line', () => {
    const all = FULL.split('\n');
    for (let i = 0; i < all.length; i++) {
      for (const changed of [all.toSpliced(i, 1), all.toSpliced(i, 0, all[i] ?? '')])
        for (const each of faultsOf(changed.join('\n')))
          expect(Number(/^\d+/.exec(each) ?? 1)).toBeLessThanOrEqual(changed.length);
    }
  });
});
