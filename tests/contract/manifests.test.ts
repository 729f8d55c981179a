import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SLOTS } from '../../core/contracts/slots.ts';
import { parseManifest } from '../../core/contracts/manifest.ts';
import { CORE_SERVICES, CORE_SLOTS } from '../../host/plugins/checks.ts';
import { ALL_MESSAGES, HALVES, PLUGINS } from './plugin-folders.ts';
import type { Half } from './plugin-folders.ts';

/** The halves between which a message is sent. */
const ENDS: Readonly<Record<string, readonly Half[]>> = {
  'client-to-host': ['client', 'host'],
  'host-to-client': ['client', 'host'],
  'page-to-host': ['page', 'host'],
  'host-to-page': ['page', 'host'],
};

/** Halves that serve a whole session, or the whole host: a plugin may have them alone. */
const HOST_WIDE = ['session.ts', 'service.ts', 'routes.ts'];

describe.each(PLUGINS)('the plugin $id', ({ id, folder, manifest, messages, halves }) => {
  it('has a manifest that would be accepted from a third party, under the name of its folder', () => {
    expect(parseManifest(structuredCloneOfData(manifest)).id).toBe(id);
  });

  it('consists of halves, a manifest, a protocol and what they share', () => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      if (name === 'tests' || name === 'shared') continue;
      expect(HALVES).toContain(name);
      if (name !== 'host' || !HOST_WIDE.some((file) => existsSync(path.join(folder, 'host', file))))
        expect(halves, `${name}/index.ts`).toHaveProperty(name);
    }
    expect(folders).not.toEqual([]);
    expect(existsSync(path.join(folder, 'protocol.ts'))).toBe(manifest.protocol !== undefined);
  });

  it('has the halves that its manifest and its messages need', () => {
    for (const { name, direction } of messages)
      for (const half of ENDS[direction]!) expect(halves, `${name}, ${direction}`).toHaveProperty(half);
    if (manifest.permissions?.cdp) expect(halves, 'permissions.cdp').toHaveProperty('host');
    if (manifest.permissions?.extension) expect(halves, 'permissions.extension').toHaveProperty('extension');
    if (manifest.slots?.length) expect(halves, 'slots').toHaveProperty('client');
  });

  it('answers below its own name only', () => {
    const own = new RegExp(`^(?:GET|POST) /r/${id}(?:/|$)`);
    // The specification has these addresses: M-067, M-069, S-117, S-120.
    const given = new Map([
      ['files', /^(?:GET|POST) \/safeview-fileserv\//],
      ['uploads', /^POST \/r\/upload$/],
    ]);
    for (const route of manifest.routes ?? []) expect(route).toMatch(given.get(id) ?? own);
  });

  it('is activated on first use only if it has a trigger', () => {
    if (manifest.activation !== 'first-use' || !halves.client) return;
    const isTriggered = messages.some(({ direction }) => direction === 'host-to-client') || manifest.hooks?.length;
    expect(isTriggered).toBeTruthy();
  });

  it('has a README that names each of its messages, slots and routes, what it provides, requires and declares', () => {
    const readme = path.join(folder, 'README.md');
    expect(existsSync(readme), `plugins/${id}/README.md is missing: see those of other plugins`).toBe(true);
    const text = readFileSync(readme, 'utf8');
    expect(text).toMatch(new RegExp(`^# ${id}\n`));
    const named = [
      messages.map(({ name }) => name),
      manifest.slots,
      manifest.provides,
      manifest.requires,
      manifest.routes,
    ].flat();
    const { options = {}, metrics = {}, eventFiles = {}, verbs = [] } = manifest;
    const declared = [
      ...Object.entries(options).map(([name, { flag }]) => `--${flag ?? `${id}-${name}`}`),
      ...[metrics, eventFiles].flatMap((each) => Object.keys(each)),
    ];
    for (const verb of verbs) expect(text, `name it in plugins/${id}/README.md`).toContain(`vitrine ${id} ${verb}`);
    for (const name of [...named, ...declared])
      if (name !== undefined) expect(text, `name it in plugins/${id}/README.md`).toContain(`\`${name}\``);
  });
});

describe('all plugins together', () => {
  it('have unique message names, the core included', () => {
    const owners = new Map<string, string[]>();
    for (const [owner, { name }] of ALL_MESSAGES) owners.set(name, [...(owners.get(name) ?? []), owner]);
    expect([...owners].filter(([, all]) => all.length > 1)).toEqual([]);
  });

  it('require only services that one of them, or the core, provides, and provide none twice', () => {
    const provided = PLUGINS.flatMap(({ manifest }) => manifest.provides ?? []);
    expect(new Set(provided).size).toBe(provided.length);
    const known = new Set([...provided, ...CORE_SERVICES]);
    for (const { manifest } of PLUGINS) for (const name of manifest.requires ?? []) expect([...known]).toContain(name);
  });

  it('may fill the slots that the host knows of the core', () => {
    expect(CORE_SLOTS).toEqual(Object.values(SLOTS).map(({ name }) => name));
  });
});

/** Manifests are data, except for the schemas of their messages. */
function structuredCloneOfData(manifest: object): unknown {
  const { protocol, ...data } = manifest as { readonly protocol?: unknown };
  return { ...structuredClone(data), ...(protocol === undefined ? {} : { protocol }) };
}
