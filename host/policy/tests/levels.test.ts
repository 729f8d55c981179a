import { describe, expect, it } from 'vitest';
import { blockOf, faultsOf, tenantFile } from './policy-samples.ts';

describe('levels', () => {
  const outer = (policy: unknown, more: Readonly<Record<string, unknown>>): string => tenantFile(policy, more);
  it.each<[setting: string, tight: unknown, loose: unknown]>([
    ['copy_paste.disable_copy', true, false],
    ['copy_paste.char_len_limit_if_paste_restricted', 10, 11],
    ['site_capabilities.print_enabled', false, true],
    ['site_capabilities.framing_restriction', 1, 2],
    ['feedback.enable_bypass', false, true],
    ['renderer', 'compositor', 'mirror'],
    ['persistent_policy.entry_action', 'read_only', 'read_write'],
    ['persistent_policy.upgrade_action', 'none', 'direct'],
    ['dlp.inspect_uploads', true, false],
    ['transfers.downloads', false, true],
    ['session.backend_drag_drop', false, true],
  ])('may not loosen settings that protect: %s', (setting, tight, loose) => {
    const [tightBlock, looseBlock] = [blockOf(setting.split('.'), tight), blockOf(setting.split('.'), loose)];
    const refused = [expect.stringMatching(new RegExp(`${setting.replaceAll('.', '\\.')} is looser than line 1:`))];
    expect(faultsOf(outer(tightBlock, { groups: { g: { policy: looseBlock } } }))).toEqual(refused);
    expect(faultsOf(outer(tightBlock, { users: { u: { policy: looseBlock } } }))).toEqual(refused);
    expect(faultsOf(outer(tightBlock, { sites: [{ match: '*', policy: looseBlock }] }))).toEqual(refused);
    expect(
      faultsOf(outer({}, { groups: { g: { policy: tightBlock, sites: [{ match: '*', policy: looseBlock }] } } })),
    ).toEqual(refused);
    expect(
      faultsOf(
        outer({}, { groups: { g: { policy: tightBlock } }, users: { u: { groups: ['g'], policy: looseBlock } } }),
      ),
    ).toEqual(refused);
    // In the other order, and at the same level, both apply.
    expect(faultsOf(outer(looseBlock, { groups: { g: { policy: tightBlock } } }))).toEqual([]);
    expect(faultsOf(outer({}, { groups: { g: { policy: tightBlock }, h: { policy: looseBlock } } }))).toEqual([]);
  });

  it.each<[outer: string[], inner: string[], isIdle: boolean]>([
    [['*.example'], ['*.test'], true],
    [['*.example'], ['a.example', 'b.test'], true],
    [['*.example'], ['a.example', '*.b.example', '*.example', 'example', 'a.example:8443'], false],
    [['a.example'], ['*.example', '*'], false], // wider, but still useful
    [['a.example'], ['*.a.example'], false],
    [['a.example'], ['b.a.example'], true],
    [['a.example:1', 'a.example:2'], ['a.example:1'], false],
    [['a.example:1', 'a.example:2'], ['a.example:3'], true],
    [['*.a.example'], ['*.b.example', 'badexample', 'example'], true],
    [['a.example:8443'], ['a.example'], false],
    [['a.example:8443'], ['*.example:8444'], true],
    [['*:8443'], ['a.example:8444'], true],
    [['*:8443'], ['a.example', 'b.example:8443'], false],
    [['*'], ['[::1]', 'a.example.'], false],
    [['[::1]'], ['[::2]'], true],
    [['a.example.'], ['a.example'], false],
    [[], ['a.example'], true],
    [['a.example'], [], false],
  ])('may name hosts that an outer list %j allows: %j', (allowed, named, isIdle) => {
    const allow = (list: string[]) => ({ egress: { allow: list } });
    const faults = isIdle ? [expect.stringMatching(/egress\.allow is looser than line 1:/)] : [];
    expect(faultsOf(outer(allow(allowed), { groups: { g: { policy: allow(named) } } }))).toEqual(faults);
    expect(faultsOf(outer(allow(allowed), { users: { u: { policy: allow(named) } } }))).toEqual(faults);
    // At the same level, both apply.
    const groups = { g: { policy: allow(allowed) }, h: { policy: allow(named) } };
    expect(faultsOf(outer({}, { groups }))).toEqual([]);
  });

  it('are refused with the line of each, and of what they loosen', () => {
    const block = (isOff: boolean): string => `{ copy_paste: { disable_copy: ${isOff} } }`;
    const source = `tenants:
  default:
    policy: ${block(true)}
    sites:
      - match: b.example
        policy: ${block(true)}
      - match: '*'
        policy: ${block(false)}
    groups:
      g:
        policy: ${block(false)}
        sites:
          - match: a.example
            policy: ${block(false)}
      h: { policy: { transfers: { uploads: false } } }
    users:
      u:
        groups: [g, h]
        policy: { copy_paste: { disable_copy: false }, transfers: { uploads: true } }
      other: { policy: { transfers: { uploads: true } } }
  second:
    groups:
      h: { policy: ${block(false)} }
`;
    const loose = (place: string, setting: string, line: number): string =>
      `${place}: ${setting} is looser than line ${line}: inner levels may only tighten settings that protect`;
    const copies = 'copy_paste.disable_copy';
    expect(faultsOf(source)).toEqual([
      loose('8:47', copies, 3),
      loose('11:47', copies, 3),
      loose('14:51', copies, 3),
      loose('19:47', copies, 3),
      loose('19:78', 'transfers.uploads', 15),
    ]);
  });

  it('may not add to the allowlist of an outer level', () => {
    const links = (...list: string[]) => ({ client_capabilities: { applicationLinks: list } });
    expect(faultsOf(outer(links('a'), { groups: { g: { policy: links('a', 'b') } } }))).toEqual([
      expect.stringMatching(/applicationLinks is looser/),
    ]);
    const off = { capabilities: { print: false } };
    expect(faultsOf(outer(off, { users: { u: { policy: { capabilities: { print: 'new' } } } } }))).toEqual([
      expect.stringMatching(/capabilities is looser/),
    ]);
  });
});
