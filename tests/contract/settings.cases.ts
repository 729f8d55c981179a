import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { OWN } from '../../host/policy/tests/own-settings.ts';
import { PLUGINS } from './plugin-folders.ts';
import { deliveredAt, readSettingReads } from './setting-reads.ts';
import type { SettingReads } from './setting-reads.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Number of settings that nothing acts on yet. It only falls: with a setting that is built, its mark `unenforced` in
 * host/policy/settings.ts goes, and this number by one.
 */
const NOT_BUILT = 72;

/**
 * Settings that code reads on the way, while the step that gives them an effect is missing: the code that would be
 * there.
 */
const MISSING_STEPS: Readonly<Record<string, RegExp>> = {
  'persistent_policy.entry_action': /readonly-mode-relax/,
  'persistent_policy.upgrade_action': /\.act\(\s*'readonly_exit'/,
  'bandwidth.warn_megabytes': /\btap\(\s*[\w.]*\.bandwidth\b/,
  'bandwidth.exceed_megabytes': /\btap\(\s*[\w.]*\.bandwidth\b/,
  'bandwidth.block_megabytes': /\btap\(\s*[\w.]*\.bandwidth\b/,
};

/** Values besides the default that say what the build does anyway. */
const HELD_ANYWAY: Readonly<Record<string, readonly unknown[]>> = {
  'feedback.enable_logo': [false],
  'persistent_policy.upgrade_action': ['none'],
  'client_capabilities.insecure_form_warning': [false],
  'client_capabilities.preload_indicator': [false],
};

/** Tests of the effect of each value of a choice, by the setting: file, and a part of it. */
const CHOICES: Readonly<Record<string, readonly [string, string]>> = {
  'site_capabilities.framing_restriction': [
    'core/session/tests/start.test.ts',
    'isFramingForbidden(restriction, status)',
  ],
  'banner.banner_theme': ['host/gateway/tests/look.test.ts', "banner_theme: 'white'"],
  'banner.font': ['host/gateway/tests/look.test.ts', "font: 'tahoma'"],
  'look.font': ['host/gateway/tests/look.test.ts', "look: { font: 'verdana' }"],
  'look.theme': ['host/gateway/tests/look.test.ts', "look: { theme: 'light' }"],
  'transfers.scan': ['plugins/files/tests/decision.test.ts', "scan: 'required'"],
  'transfers.scan_failure': ['plugins/files/tests/decision.test.ts', "scan_failure: 'allow'"],
  'transfers.encrypted': ['plugins/files/tests/decision.test.ts', "encrypted: 'block'"],
  'session.input_context_menu': ['tests/e2e/support/context-menus.ts', "input_context_menu: 'backend'"],
  'pictures.format': ['host/cell/resources/tests/resource-store.test.ts', "format: 'png'"],
};

/** The sources of the product, without tests. */
const SOURCES = ['core', 'host', 'plugins']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(tests|testing)\//.test(file))
      .map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
  )
  .join('\n');

const delivered = deliveredAt(OWN);
const capabilities = PLUGINS.flatMap(({ manifest }) => manifest.capability ?? []);
/** Plugins by the settings that they declare. */
const owners = new Map<string, string>(
  PLUGINS.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.settings ?? {}).flatMap(([section, declared]) =>
      Object.keys(declared).map((name) => [`${section}.${name}`, path.basename(folder)] as const),
    ),
  ),
);
const SETTINGS = OWN.leaves.map(({ path: at, setting }) => [at.join('.'), setting] as const);

describe('settings', () => {
  let reads: SettingReads;
  beforeAll(() => {
    const settings = OWN.leaves.map(({ path: at }) => at.join('.'));
    reads = readSettingReads(settings, [...delivered.values()].flat(2));
  });

  /** Code that reads a setting: a type says so, or a client takes it out of the record in which it arrives. */
  const readers = (full: string): readonly string[] => {
    const typed = reads.typed.get(full) ?? [];
    const [section = '', name = ''] = full.split('.');
    if (section === 'client_capabilities' && capabilities.includes(name)) return [...typed, 'the gate of plugins'];
    const owner = owners.get(full);
    if (owner !== undefined && reads.inPlugin.get(owner)?.has(name)) return [...typed, `plugins/${owner}`];
    const arrived = (delivered.get(full) ?? []).filter(
      ([record = '', ...rest]) => reads.received.has(record) && rest.every((each) => reads.inClient.has(each)),
    );
    return [...typed, ...arrived.map((at) => `the client, as ${at.join('.')}`)];
  };

  it.each(SETTINGS)('%s is read by the product, or refused while nothing acts on it', (full, { gap }) => {
    const found = readers(full);
    if (gap === undefined)
      expect(found, `mark ${full} as unenforced in host/policy/settings.ts, or read it`).not.toEqual([]);
    else if (!(full in MISSING_STEPS))
      expect(found, `${full} is read: remove its mark in host/policy/settings.ts`).toEqual([]);
  });

  it.each(Object.entries(MISSING_STEPS))('%s is read, but nothing comes of it yet', (full, step) => {
    expect(readers(full), `${full} is not read: remove it here`).not.toEqual([]);
    expect(OWN.leaves.find(({ path: at }) => at.join('.') === full)?.setting.gap).toBeDefined();
    expect(SOURCES, `${full} has an effect now: remove its mark in host/policy/settings.ts`).not.toMatch(step);
  });

  it('are read more and more', () => {
    const marked = SETTINGS.filter(([, { gap }]) => gap !== undefined).map(([full]) => full);
    expect(marked, 'NOT_BUILT only falls').toHaveLength(NOT_BUILT);
  });
});

describe('settings that nothing acts on', () => {
  it('accept their defaults, and what the build does anyway', () => {
    const held: Record<string, readonly unknown[]> = {};
    for (const [full, { gap, accepted = [], fallback, schema }] of SETTINGS) {
      if (gap === undefined) continue;
      for (const value of accepted) expect(v.is(schema, value), full).toBe(true);
      const others = accepted.filter((value) => JSON.stringify(value) !== JSON.stringify(fallback));
      expect(accepted.length - others.length, `${full} accepts its default`).toBe(fallback === undefined ? 0 : 1);
      if (others.length > 0) held[full] = others;
    }
    expect(held).toEqual(HELD_ANYWAY);
  });
});

describe('choices that are read', () => {
  const several = SETTINGS.filter(([, { gap, schema }]) => gap === undefined && schema.type === 'picklist');

  it('have a test of their values', () => {
    expect(several.map(([full]) => full).sort()).toEqual(Object.keys(CHOICES).sort());
    for (const [file, part] of Object.values(CHOICES))
      expect(readFileSync(path.join(root, file), 'utf8')).toContain(part);
  });
});

describe.each(PLUGINS.filter(({ manifest }) => manifest.settings))('settings of $id', ({ folder, manifest }) => {
  it('are in its README', () => {
    const text = readFileSync(path.join(folder, 'README.md'), 'utf8');
    for (const [section, declared] of Object.entries(manifest.settings ?? {}))
      for (const name of Object.keys(declared))
        expect(text, `describe \`${section}.${name}\` in the plugin's README.md`).toMatch(
          new RegExp(`\`(${section}\\.)?${name}\``),
        );
  });
});
