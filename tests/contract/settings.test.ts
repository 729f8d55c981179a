import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { leavesOf } from '../../host/policy/setting.ts';
import { PERSON_SETTINGS, SITE_SETTINGS } from '../../host/policy/settings.ts';
import { PLUGINS } from './plugin-folders.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The sources under a folder, without tests and manifests. */
function sourcesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(tests|testing)\/|manifest\.ts$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

/** Whether a setting is read: as a property, by destructuring, or as a key of a schema. */
const reads = (source: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(source);

describe.each(PLUGINS.filter(({ manifest }) => manifest.settings))('settings of $id', ({ folder, manifest }) => {
  const settings = Object.entries(manifest.settings ?? {}).flatMap(([section, leaves]) =>
    Object.keys(leaves).map((name) => ({ section, name })),
  );

  it.each(settings)('$name of $section is read by one of its halves, or is its capability', ({ section, name }) => {
    const isCapability = section === 'client_capabilities' && name === manifest.capability;
    expect(isCapability || reads(sourcesOf(folder), name), `no half reads ${section}.${name}`).toBe(true);
  });

  it('are in its README', () => {
    const text = readFileSync(path.join(folder, 'README.md'), 'utf8');
    for (const { section, name } of settings)
      expect(text, `describe \`${section}.${name}\` in the plugin's README.md`).toMatch(
        new RegExp(`\`(${section}\\.)?${name}\``),
      );
  });
});

/** Settings that protect and are enforced although no code reads them. */
const HELD_ANYWAY: Readonly<Record<string, string>> = {
  'session.backend_drag_drop': 'nothing can be dragged into pages',
  'transfers.downloads': 'nothing can be downloaded',
  'transfers.uploads': 'nothing can be uploaded',
};

describe('settings of the core that protect', () => {
  const sources = ['core', 'host/cell', 'host/gateway', 'host/plugins', 'plugins']
    .map((folder) => sourcesOf(path.join(root, folder)))
    .join('\n');
  /** Settings that the policy itself enforces: the engine's own verdicts. */
  const policy = ['person-policy.ts', 'capabilities.ts', 'decision.ts', 'bandwidth.ts']
    .map((file) => readFileSync(path.join(root, 'host/policy', file), 'utf8'))
    .join('\n');
  const protecting = leavesOf({ ...SITE_SETTINGS, ...PERSON_SETTINGS })
    .filter(({ setting }) => setting.protects)
    .map(({ path: at, setting }) => [at.join('.'), at.at(-1) ?? '', setting] as const);

  it.each(protecting)('%s is read, or refused while nothing enforces it', (full, name, { gap }) => {
    const isCapability = PLUGINS.some(({ manifest }) => manifest.capability === name);
    const isRead = isCapability || reads(`${sources}\n${policy}`, name);
    if (gap === undefined) expect(isRead || full in HELD_ANYWAY).toBe(true);
  });

  it('are listed as enforced without a reader only while nothing reads them', () => {
    for (const full of Object.keys(HELD_ANYWAY)) {
      expect(protecting.map(([each]) => each)).toContain(full);
      const name = full.split('.').at(-1) ?? '';
      if (name !== 'downloads' && name !== 'uploads') expect(reads(sources, name), full).toBe(false);
    }
  });
});
