import { describe, expect, it } from 'vitest';
import type { PluginSettings } from '../../../core/contracts/setting.ts';
import { checkDeclared } from '../declared-settings.ts';
import type { DeclaredSettings } from '../declared-settings.ts';
import { createPolicyEngine } from '../engine.ts';
import { parsePolicy } from '../policy.ts';
import { PolicyError } from '../policy-error.ts';
import { policyJsonSchema } from '../json-schema.ts';
import type { Setting } from '../setting.ts';
import { declaredBy, settingsTable } from '../settings-table.ts';
import type { SettingsTable } from '../settings-table.ts';
import { saidOf } from '../tightening.ts';
import { MANIFESTS, OWN, parsed } from './own-settings.ts';
import { ANNA, blockOf, FULL, tenantFile } from './policy-samples.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Settings of a plugin from outside, one of each kind. */
const NOTES = {
  notes: {
    off: { kind: 'demand', fallback: false, about: 'No notes', client: ['notes.off'] },
    share: { kind: 'allowance', fallback: true, about: 'Let people share notes' },
    wide: { kind: 'flag', fallback: false, about: 'Show them wide', client: ['notes.wide'] },
    most: { kind: 'bound', integer: true, min: 1, max: 50, about: 'How many', client: ['notes.most'] },
    form: { kind: 'ranked', values: ['rich', 'plain'], fallback: 'rich', about: 'What may stand in them' },
    place: { kind: 'choice', values: ['left', 'right'], fallback: 'left', about: 'Where they stand' },
    title: { kind: 'text', about: 'What stands above them', client: ['notes.title'] },
  },
} as const satisfies PluginSettings;

const notes = (more: Partial<DeclaredSettings> = {}): DeclaredSettings => ({
  ...{ plugin: 'notes', settings: NOTES, isExternal: true, isLeftOut: false },
  ...more,
});

const FULL_POLICY = parsed(FULL).content.tenants['default']?.policy ?? {};

function faultsOf(source: string, settings: SettingsTable): string[] {
  try {
    parsePolicy(source, 'p.yaml', settings);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof PolicyError)) throw thrown;
    return thrown.message.split('\n');
  }
}

describe('settings of a plugin', () => {
  const table = settingsTable([...OWN.declared, notes()]);

  it('have the defaults of its manifest, and merge by their kinds', async () => {
    const policy = parsePolicy(
      tenantFile(
        { notes: { off: true, share: true, most: 20, form: 'rich', title: 'Ours' } },
        {
          groups: { g: { policy: { notes: { share: false, most: 30, place: 'right' } } } },
          sites: [{ match: '*.example', policy: { notes: { form: 'plain', wide: true, most: 5, title: 'Theirs' } } }],
        },
      ).replace('"most":30', '"most":10'),
      'p.yaml',
      table,
    );
    const engine = await createPolicyEngine({ policy, settings: table, capabilities: [], log });
    const decided = (groups: string[], url?: string): unknown => {
      const { settings } = engine.decide({ ...ANNA, groups }, url);
      return (settings as unknown as { readonly notes: unknown }).notes;
    };
    const said = { off: true, share: true, wide: false, most: 20, form: 'rich', place: 'left', title: 'Ours' };
    expect(decided([])).toEqual(said);
    expect(decided(['g'])).toEqual({ ...said, share: false, most: 10, place: 'right' });
    expect(decided(['g'], 'https://a.example/')).toEqual({
      ...{ off: true, share: false, wide: true, most: 5, form: 'plain', place: 'right', title: 'Theirs' },
    });
    const bare = await createPolicyEngine({ settings: table, capabilities: [], log });
    expect(bare.decide(ANNA).settings).toMatchObject({
      notes: { ...said, off: false, most: undefined, title: undefined },
    });
    const trace = engine.decide(ANNA, 'https://a.example/').trace();
    expect(trace.find(({ setting }) => setting === 'notes.most')?.decidedBy?.level).toBe('tenant default on *.example');
  });

  it('are sent to the client as declared, and not under names of others', async () => {
    const policy = parsePolicy(tenantFile({ notes: { off: true, share: false, most: 3 } }), 'p.yaml', table);
    const engine = await createPolicyEngine({ policy, settings: table, capabilities: [], log });
    const told = engine.siteCapabilities(ANNA, 'https://a.example/');
    expect(told['notes']).toEqual({ off: true, wide: false, most: 3 });
    expect(told).toMatchObject({
      print_enabled: true,
      copy_paste_policy: {
        ...{ disable_copy: false, restrict_paste: false, char_len_limit_if_paste_restricted: 0 },
        ...{ is_fail_closed_policy: true, disable_img_ctx_menu_for_copy: false, disable_all_ctx_menu_for_copy: false },
      },
      session_settings: {
        ...{ backend_drag_drop: true, disable_all_context_menus: false, input_context_menu: 'native' },
        paste_restriction: false,
      },
    });
    const answers = engine.answers(ANNA, 'https://a.example/');
    expect(answers).toMatchObject({ notes: told['notes'], disable_copy: false, print_enabled: true });
    expect(answers).not.toHaveProperty('off');
  });

  it('refuse invalid values, and values that loosen protection', () => {
    const block = (own: object): string => tenantFile({ notes: own });
    for (const [own, fault] of [
      [{ off: 'yes' }, /expected boolean/],
      [{ most: 1.5 }, /expected a whole number/],
      [{ most: 51 }, /most: /],
      [{ place: 'top' }, /expected \("left" \| "right"\)/],
      [{ title: '<b>' }, /write it without/],
      [{ title: ' ' }, /write a non-empty text/],
      [{ other: 1 }, /unknown key "other": expected one of off, share, wide, most, form, place, title/],
    ] as const)
      expect(faultsOf(block(own), table), JSON.stringify(own)).toEqual([expect.stringMatching(fault)]);
    const loose = { users: { anna: { policy: { notes: { off: false, share: true, most: 9, form: 'rich' } } } } };
    const tight = { notes: { off: true, share: false, most: 8, form: 'plain' } };
    expect(faultsOf(tenantFile(tight, loose), table)).toHaveLength(4);
  });

  it('are in the JSON Schema, for levels and for sites', () => {
    const { $defs } = policyJsonSchema(table) as unknown as {
      readonly $defs: { readonly policy: Shape; readonly site: Shape };
    };
    interface Shape {
      readonly properties: Readonly<Record<string, Shape>>;
    }
    const most = { type: 'integer', minimum: 1, maximum: 50, description: 'How many' };
    expect($defs.policy.properties['notes']?.properties['most']).toEqual(most);
    expect($defs.site.properties['policy']?.properties['notes']?.properties['most']).toEqual(most);
  });

  it('are the same for versions of one plugin, and declared by no other', () => {
    expect(settingsTable([notes(), notes()]).leaves).toHaveLength(settingsTable([notes()]).leaves.length);
    const off = { notes: { off: { kind: 'demand', fallback: true, about: 'No notes' } } } as const;
    for (const [declared, reason] of [
      [[notes(), notes({ settings: off })], /notes: all versions of a plugin must declare the same settings/],
      [[notes(), notes({ plugin: 'other', settings: off })], /notes: this setting is already declared/],
      [[{ ...notes(), settings: { limits: NOTES.notes } }], /limits: this setting is already declared/],
      [[{ ...notes(), settings: { renderer: NOTES.notes } }], /renderer: this setting is already declared/],
      [
        [{ ...notes({ isExternal: false }), settings: { session: { backend_drag_drop: off.notes.off } } }],
        /session.backend_drag_drop: this setting is already declared/,
      ],
      [[{ ...notes(), settings: { feedback: { more: off.notes.off } } }], /feedback: this setting is already declared/],
      [[notes({ settings: { notes: { a: { ...off.notes.off, client: ['renderer'] } } } })], /renderer is already used/],
      [
        [notes(), notes({ plugin: 'more', settings: { more: { a: { ...off.notes.off, client: ['notes.off'] } } } })],
        /notes.off is already used/,
      ],
    ] as const)
      expect(() => settingsTable(declared), String(reason)).toThrowError(
        expect.objectContaining({ code: 'bad-plugin', message: expect.stringMatching(reason) as string }),
      );
  });

  it.each<[what: string, settings: unknown, reason: RegExp]>([
    ['no kind', { notes: { a: { about: 'x' } } }, /notes\.a/],
    ['no text', { notes: { a: { kind: 'flag', fallback: true } } }, /notes\.a/],
    [
      'a text of two lines',
      { notes: { a: { kind: 'flag', fallback: true, about: 'x\ny' } } },
      /notes\.a\.about: write one line/,
    ],
    [
      'a fallback out of range',
      { notes: { a: { kind: 'bound', min: 1, max: 2, fallback: 3, about: 'x' } } },
      /a: the fallback/,
    ],
    [
      'a fallback that is no choice',
      { notes: { a: { kind: 'choice', values: ['x'], fallback: 'y', about: 'x' } } },
      /a: the fallback/,
    ],
    ['no choice', { notes: { a: { kind: 'choice', values: [], about: 'x' } } }, /notes\.a/],
    [
      'more than there is',
      { notes: { a: { kind: 'flag', fallback: true, about: 'x', more: 1 } } },
      /there is no such key/,
    ],
    ['an empty section', { notes: {} }, /notes/],
    ['a name with a dot', { notes: { 'a.b': { kind: 'flag', fallback: true, about: 'x' } } }, /write letters/],
    ['a reserved name', { notes: JSON.parse('{"__proto__": {}}') as object }, /notes/],
    [
      'too many',
      {
        notes: Object.fromEntries(
          Array.from({ length: 101 }, (_, i) => [`a${i}`, { kind: 'flag', fallback: true, about: 'x' }]),
        ),
      },
      /notes/,
    ],
    ['a section of another name', { print: NOTES.notes }, /print: the section of its settings must be named notes/],
    [
      'a record of another',
      { notes: { a: { kind: 'flag', fallback: true, about: 'x', client: ['copy_paste_policy.a'] } } },
      /must get it as notes\.a/,
    ],
    ['a list', [NOTES.notes], /settings/],
  ])('of a third party are refused with %s', (_what, settings, reason) => {
    expect(() => checkDeclared({ id: 'notes', settings: settings as PluginSettings })).toThrowError(
      expect.objectContaining({ code: 'bad-manifest', message: expect.stringMatching(reason) as string }),
    );
  });

  it('of a third party are accepted under its own name', () => {
    const settings = { my_notes: { a: { kind: 'flag', fallback: true, about: 'x', client: ['my_notes.a'] } } } as const;
    expect(() => checkDeclared({ id: 'my-notes', settings })).not.toThrow();
    expect(() => checkDeclared({ id: 'notes', settings: NOTES })).not.toThrow();
    expect(() => checkDeclared({ id: 'notes' })).not.toThrow();
  });
});

describe('a value that has no effect', () => {
  const marked = OWN.leaves.filter(({ setting }) => setting.gap !== undefined);
  /** A value of FULL that the build does not do anyway. */
  const valueOf = (at: readonly string[], setting: Setting<unknown>): unknown => {
    const value = saidOf(FULL_POLICY, at);
    const isHeld = setting.accepted?.some((each) => JSON.stringify(each) === JSON.stringify(value));
    return isHeld ? undefined : value;
  };

  it.each(marked.map(({ path: at, setting }) => [at.join('.'), at, setting] as const))(
    '[H6] is refused at any level, unless it is the default or what the build does anyway: %s',
    (full, at, setting) => {
      const isOfSite = saidOf(OWN.site, at) !== undefined;
      const levels = (policy: object): object[] => [
        { policy },
        { groups: { g: { policy } } },
        ...(isOfSite ? [{ users: { u: { sites: [{ match: '*', policy }] } } }] : []),
      ];
      const faults = (value: unknown): string[][] =>
        levels(blockOf(at, value)).map((tenant) => faultsOf(JSON.stringify({ tenants: { default: tenant } }), OWN));
      for (const value of setting.accepted ?? [])
        for (const found of faults(value)) expect(found, JSON.stringify(value)).toEqual([]);
      const value = valueOf(at, setting);
      if (value === undefined) return; // what the build does anyway is the only other value
      for (const [fault = '', ...more] of faults(value)) {
        expect(more).toEqual([]);
        expect(fault).toMatch(/^p\.yaml:1:\d+: /);
        expect(fault).toContain(`: ${full} would have no effect: ${setting.gap}`);
      }
    },
  );

  it.each<[setting: string, asked: object, fine: object, reason: RegExp]>([
    ['renderer', { renderer: 'compositor' }, { renderer: 'mirror' }, /renderer would have no effect: the compositor/],
    [
      'entry_action',
      { persistent_policy: { entry_action: 'read_only' } },
      { persistent_policy: { entry_action: 'read_write', upgrade_action: 'none' } },
      /persistent_policy\.entry_action would have no effect: typing/,
    ],
    [
      'enable_feedback',
      { feedback: { enable_feedback: true } },
      { feedback: { enable_feedback: false, enable_logo: false } },
      /no feedback bar/,
    ],
    ['banner.text', { banner: { text: 'Careful' } }, { banner: { banner_theme: 'yellow' } }, /no such banner/],
    ['inspect_input', { dlp: { inspect_input: true } }, { dlp: { inspect_input: false } }, /nothing is inspected/],
    [
      'dlp_retry_codes_input',
      { client_capabilities: { dlp_retry_codes_input: [502] } },
      { client_capabilities: { dlp_retry_codes_input: [], insecure_form_warning: false } },
      /nothing is inspected/,
    ],
    [
      'dlp_soft_error_codes_input',
      { client_capabilities: { dlp_soft_error_codes_input: [500] } },
      { client_capabilities: { local_echo: { enabled: false } } },
      /nothing is inspected/,
    ],
    [
      'perf',
      { client_capabilities: { perf: { pull_timeout: 15000 } } },
      { client_capabilities: { perf: {}, disable_long_poll: true } },
      /takes no parameters/,
    ],
    [
      'warn_megabytes',
      { bandwidth: { warn_megabytes: 5 } },
      { transfers: { downloads: false, uploads: false } },
      /nothing shows the notice/,
    ],
  ])('[H6] is refused, with a reason: %s', (_setting, asked, fine, reason) => {
    expect(faultsOf(tenantFile(asked), OWN)).toEqual([expect.stringMatching(reason)]);
    expect(faultsOf(tenantFile(fine), OWN)).toEqual([]);
  });

  it('[H6] is refused with its line', () => {
    const source = 'tenants:\n  default:\n    policy:\n      bandwidth: { block_megabytes: 9 }\n';
    expect(faultsOf(source, OWN)).toEqual([
      'p.yaml:4:37: bandwidth.block_megabytes would have no effect: media are not stopped yet',
    ]);
  });

  it('is refused where the plugin is not in the build', () => {
    const ids = ['watermark', 'clipboard', 'print', 'permissions'];
    const [without, rest] = [true, false].map((isOut) => MANIFESTS.filter(({ id }) => ids.includes(id) === isOut));
    const table = settingsTable(
      declaredBy(
        rest!.map((manifest) => ({ manifest, external: false })),
        without,
      ),
    );
    const fine = {
      watermark: { print: false },
      copy_paste: { disable_copy: false, disable_img_ctx_menu_for_copy: true },
      site_capabilities: { print_enabled: true },
      permissions: { geolocation: false },
    };
    expect(faultsOf(tenantFile(fine), table)).toEqual([]);
    const asked = {
      watermark: { print: true, text: 'For {user}' },
      copy_paste: { disable_copy: true, restrict_paste: true, char_len_limit_if_paste_restricted: 5 },
      site_capabilities: { print_enabled: false },
      permissions: { geolocation: true },
    };
    expect(faultsOf(tenantFile(asked), OWN)).toEqual([]);
    const gap = (plugin: string) => `would have no effect: the plugin ${plugin} is not part of this build`;
    expect(faultsOf(tenantFile(asked), table).map((line) => line.replace(/^.*?: /, ''))).toEqual([
      `watermark.print ${gap('watermark')}`,
      `watermark.text ${gap('watermark')}`,
      `copy_paste.disable_copy ${gap('clipboard')}`,
      `copy_paste.restrict_paste ${gap('clipboard')}`,
      `copy_paste.char_len_limit_if_paste_restricted ${gap('clipboard')}`,
      `site_capabilities.print_enabled ${gap('print')}`,
      `permissions.geolocation ${gap('permissions')}`,
    ]);
  });
});
