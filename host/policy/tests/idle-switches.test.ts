import { expect, it } from 'vitest';
import { idleSwitches } from '../idle-switches.ts';
import { settingsTable } from '../settings-table.ts';
import { OWN, parsed } from './own-settings.ts';

const warningsOf = (source: string): string[] => idleSwitches(parsed(source), { settings: OWN, capabilities: [] });

it.each([
  ['pictures: { format: png }', 'pictures.format has no effect without pictures.reencode or pictures.max_side'],
  ['pictures: { quality: 50 }', 'pictures.quality has no effect without pictures.reencode or pictures.max_side'],
  ['watermark: { print: true }', 'watermark.print has no effect without watermark.text'],
  ['framebust: { domains: [a.example] }', 'framebust.domains has no effect without framebust.enabled'],
])('warns of %s, since no level sets or turns on what it needs', (block, warning) => {
  const [line, ...more] = warningsOf(`tenants: { default: { policy: { ${block} } }, other: {} }`);
  expect(line).toMatch(new RegExp(`^p\\.yaml:1:\\d+: warning: ${warning.replaceAll('.', '\\.')}$`));
  expect(more).toEqual([]);
});

it.each([
  'tenants: { default: { policy: { pictures: { format: png, reencode: true } } } }',
  'tenants: { default: { policy: { pictures: { format: png, max_side: 100 } } } }',
  'tenants: { default: { policy: { pictures: { format: png } }, users: { anna: { policy: { pictures: { reencode: true } } } } } }',
  'tenants: { default: { policy: { watermark: { print: true } }, sites: [{ match: a.example, policy: { watermark: { text: secret } } }] } }',
  'tenants: { default: { policy: { framebust: { domains: [] }, watermark: { print: false } } } }',
])('does not warn of %s', (source) => {
  expect(warningsOf(source)).toEqual([]);
});

it('looks for what a setting needs in its own tenant only', () => {
  const on = '{ policy: { pictures: { reencode: true } } }';
  expect(warningsOf(`tenants: { default: ${on}, other: { policy: { pictures: { quality: 50 } } } }`)).toHaveLength(1);
});

it('refuses a plugin whose setting needs one that does not exist', () => {
  const settings = {
    notes: { off: { kind: 'demand', fallback: false, about: 'No notes', needs: 'notes.on' } },
  } as const;
  const declared = { plugin: 'notes', settings, isExternal: true, isLeftOut: false };
  expect(() => settingsTable([declared])).toThrow('notes.off needs the setting notes.on, which does not exist');
});
