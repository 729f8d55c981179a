import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { message } from '../../protocol/message.ts';
import { isEnabled, messagesOf, parseManifest, PLUGIN_API } from '../../contracts/manifest.ts';
import type { AnyManifest } from '../../contracts/manifest.ts';
import { FIRST_PLUGIN_OPCODE, grantOpcodes, OpcodeTable } from '../opcodes.ts';

const ping = message('demo.ping', { direction: 'client-to-host', params: v.object({}) });
const pong = message('demo.pong', { direction: 'host-to-client', params: v.object({}) });
const demo: AnyManifest = {
  id: 'demo',
  version: '1.2.3',
  api: PLUGIN_API,
  description: 'A demonstration',
  activation: 'first-use',
  capability: 'demo_enabled',
  protocol: { pong, ping, LIMIT: 5 },
};

describe('manifests', () => {
  it('of third parties are checked field by field', () => {
    expect(parseManifest(demo)).toEqual(demo);
    for (const [field, value] of Object.entries({
      id: 'Demo!',
      version: '1',
      api: 99,
      activation: 'later',
      capability: '',
      extra: 1,
    }))
      expect(() => parseManifest({ ...demo, [field]: value })).toThrow(new RegExp(`manifest: .*${field}`));
    for (const bad of [null, [], 'x', {}])
      expect(() => parseManifest(bad)).toThrow(expect.objectContaining({ code: 'bad-manifest' }));
  });

  it('switch the plugin by its capability', () => {
    expect(isEnabled(demo, { demo_enabled: true })).toBe(true);
    expect(isEnabled(demo, { demo_enabled: 0 })).toBe(true);
    for (const value of [false, null, undefined]) expect(isEnabled(demo, { demo_enabled: value })).toBe(false);
    expect(isEnabled({ ...demo, capability: undefined } as unknown as AnyManifest, {})).toBe(true);
  });
});

describe('opcodes', () => {
  it('are counted from the sorted names, after the core', () => {
    expect(messagesOf(demo).map(({ name }) => name)).toEqual(['demo.ping', 'demo.pong']);
    const grants = grantOpcodes([
      { manifest: demo, variant: 'default' },
      { manifest: { ...demo, id: 'other', protocol: {} }, variant: 'default' },
    ]);
    expect(grants.map(({ id, base, count }) => [id, base, count])).toEqual([
      ['demo', FIRST_PLUGIN_OPCODE, 2],
      ['other', FIRST_PLUGIN_OPCODE + 2, 0],
    ]);
    const table = new OpcodeTable([]);
    for (const grant of grants.slice(0, 1)) table.add(demo, grant);
    expect(table.opOf(pong)).toBe(FIRST_PLUGIN_OPCODE + 1);
    expect(table.messageOf(FIRST_PLUGIN_OPCODE)).toBe(ping);
    expect(table.messageOf('demo.ping')).toBe(ping);
    expect(table.ownerOf('demo.ping')).toBe('demo');
    expect(table.messageOf(5000)).toBeUndefined();
  });

  it('refuse another version and a message that has an owner', () => {
    const [grant] = grantOpcodes([{ manifest: demo, variant: 'default' }]);
    if (!grant) throw new Error('no grant');
    expect(() => new OpcodeTable([]).add(demo, { ...grant, version: '2.0.0' })).toThrow(
      /1\.2\.3 here, 2\.0\.0 granted/,
    );
    expect(() => new OpcodeTable([ping]).add(demo, grant)).toThrow(expect.objectContaining({ code: 'message-taken' }));
  });
});
