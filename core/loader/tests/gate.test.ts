import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CORE_MESSAGES } from '../../protocol/core-messages.ts';
import { message } from '../../protocol/message.ts';
import { gate } from '../gate.ts';
import { PLUGIN_API } from '../../contracts/manifest.ts';
import { grantOpcodes, OpcodeTable } from '../../plugins/opcodes.ts';

const note = message('find.note', { direction: 'host-to-client', params: v.object({}) });
const load = () => Promise.resolve({ activate: () => undefined, protocol: { note } });
const base = { version: '1.0.0', api: PLUGIN_API, description: 'A plugin', activation: 'boot' } as const;
const find = { ...base, id: 'find', capability: 'find_in_page', protocol: { note } };
const hostOnly = { ...base, id: 'audit' };

describe('gate', () => {
  const pass = (
    ...[answer, registry, importModule]: Parameters<typeof gate> extends [infer A, infer R, ...unknown[]]
      ? [A, R, Parameters<typeof gate>[3]?]
      : never
  ) => {
    const table = new OpcodeTable(CORE_MESSAGES);
    return { table, ...gate(answer, registry, table, importModule) };
  };

  it('[S-002] lets through what the host grants and the capabilities allow, with its opcodes', async () => {
    const plugins = grantOpcodes([
      { manifest: find, variant: 'wide' },
      { manifest: hostOnly, variant: 'default' },
    ]);
    const registry = [
      { manifest: find, count: 1, load },
      { manifest: hostOnly, count: 0 },
      { manifest: { ...base, id: 'other' }, count: 0, load },
    ];
    const on = pass({ plugins, client_caps: { find_in_page: 'wide' } }, registry);
    expect(on.plugins.map(({ manifest, grant }) => [manifest.id, grant.variant])).toEqual([['find', 'wide']]);
    expect(on.table.ownerOf('find.note')).toBeUndefined(); // loaded with its half
    await on.plugins[0]?.load();
    expect(on.table.ownerOf('find.note')).toBe('find');
    for (const client_caps of [{ find_in_page: false }, { find_in_page: null }, { others: true }]) {
      const off = pass({ plugins, client_caps }, registry);
      expect(off.plugins).toEqual([]);
      expect(off.table.ownerOf('find.note')).toBeUndefined();
    }
    expect(pass({ plugins: [], client_caps: { find_in_page: true } }, registry).plugins).toEqual([]);
  });

  it.each([
    ['another version', { version: '1.0.1' }],
    ['another number of messages', { count: 2 }],
    ['an unknown plugin with messages', { id: 'unknown' }],
  ])('says when host and client differ: %s', (_what, difference) => {
    const [grant] = grantOpcodes([{ manifest: find, variant: 'default' }]);
    const { mismatched, plugins } = pass(
      { plugins: grant ? [{ ...grant, ...difference }] : [], client_caps: { find_in_page: true } },
      [{ manifest: find, count: 1, load }],
    );
    expect(mismatched.map(({ code }) => code)).toEqual(['version-mismatch']);
    expect(plugins).toEqual([]);
  });

  it('loads a third party by its address, and takes its messages from its module', async () => {
    const [grant] = grantOpcodes([{ manifest: find, variant: 'default' }]);
    const { protocol: _protocol, ...manifest } = find;
    const addresses: string[] = [];
    const answer = {
      plugins: grant ? [{ ...grant, module: '/safeview-static/ext/find.js', manifest }] : [],
      client_caps: { find_in_page: true },
    };
    const { plugins, table } = pass(answer, [], (address) => {
      addresses.push(address);
      return Promise.resolve({ activate: () => undefined, protocol: { note } });
    });
    expect(addresses).toEqual([]);
    await plugins[0]?.load();
    expect(addresses).toEqual(['/safeview-static/ext/find.js']);
    expect(table.ownerOf(grant?.base ?? 0)).toBe('find');
  });

  it('has nothing to do with a third party that has no client half', () => {
    const [grant] = grantOpcodes([{ manifest: find, variant: 'default' }]);
    const { protocol: _protocol, ...manifest } = find;
    const { plugins, mismatched } = pass(
      { plugins: grant ? [{ ...grant, manifest }] : [], client_caps: { find_in_page: true } },
      [],
    );
    expect(plugins).toEqual([]);
    expect(mismatched).toEqual([]);
  });

  it('refuses a third party whose manifest is wrong or of another plugin', () => {
    const [grant] = grantOpcodes([{ manifest: find, variant: 'default' }]);
    if (!grant) throw new Error('granted above');
    const { protocol: _protocol, ...manifest } = find;
    const of = (given: unknown) => pass({ plugins: [{ ...grant, module: '/x.js', manifest: given }] }, []).mismatched;
    expect(of({ ...manifest, api: 9 })).toMatchObject([{ code: 'api-version' }]);
    expect(of({ ...manifest, api: 'one' })).toMatchObject([{ code: 'bad-manifest' }]);
    expect(of({ ...manifest, id: 'else' })).toMatchObject([{ code: 'bad-manifest' }]);
    expect(of(undefined)).toMatchObject([{ code: 'bad-manifest' }]);
  });
});
