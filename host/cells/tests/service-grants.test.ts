import { describe, expect, it } from 'vitest';
import { createServices } from '../services.ts';
import { ServiceGrants } from '../service-grants.ts';

const AGENT = 'agent';
const manifest = (id: string, capability?: string, more: object = {}) => ({
  manifest: {
    id,
    version: '1.0.0',
    api: 1,
    description: 'x',
    activation: 'boot',
    ...(capability && { capability }),
    ...more,
  } as const,
});
const silent = { debug() {}, info() {}, warn() {}, error() {} };

describe('the services that a cell may call', () => {
  const services = createServices({
    starters: new Map(),
    plugins: [manifest('scan', 'scan'), manifest('always'), manifest('new', 'turn', { variants: ['next'] })],
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });

  it('are those of the plugins that capabilities switch on, in their versions', () => {
    expect([...services.namesFor({})]).toEqual(['always']);
    expect([...services.namesFor({ scan: true, turn: 'next' })].toSorted()).toEqual(['always', 'new:next', 'scan']);
  });

  it('are those of a page that the policy was asked about, and are looked up again once that has changed', async () => {
    let has = true;
    let asked = 0;
    const granted = new ServiceGrants({
      grant: async (url) => ({ scan: (asked += 1) > 0 && has && url === 'https://one.test/' }),
      namesFor: services.namesFor,
    });
    expect(await granted.has('scan')).toBe(false);
    granted.note('https://two.test/', AGENT, { scan: false });
    expect(await granted.has('scan')).toBe(false);
    granted.note('https://one.test/', AGENT, { scan: true });
    expect(await granted.has('scan')).toBe(true);
    expect(await granted.has('other')).toBe(false);
    expect(asked).toBe(0);
    granted.changed();
    expect(await granted.has('scan')).toBe(true);
    has = false;
    expect(await granted.has('scan')).toBe(true);
    granted.changed();
    expect(await granted.has('scan')).toBe(false);
  });

  it('are not those of a policy that has changed while it was asked', async () => {
    const granted = new ServiceGrants({ grant: async () => ({ scan: false }), namesFor: services.namesFor });
    const { changes } = granted;
    granted.changed();
    granted.note('https://one.test/', AGENT, { scan: true }, changes);
    expect(await granted.has('scan')).toBe(false);
    granted.note('https://one.test/', AGENT, { scan: true }, granted.changes);
    expect(await granted.has('scan')).toBe(true);
  });

  it('are forgotten with the oldest of many pages', async () => {
    const granted = new ServiceGrants({ grant: async () => ({}), namesFor: services.namesFor });
    granted.note('https://one.test/', AGENT, { scan: true });
    for (let page = 0; page < 49; page += 1) granted.note(`https://other.test/${page}`, AGENT, {});
    expect(await granted.has('scan')).toBe(true);
    granted.note('https://last.test/', AGENT, {});
    expect(await granted.has('scan')).toBe(false);
  });

  it('are not decided by a policy that fails', async () => {
    let fails = true;
    const granted = new ServiceGrants({
      grant: async () => {
        if (fails) throw new Error('no flags');
        return { scan: true };
      },
      namesFor: services.namesFor,
    });
    granted.note('https://one.test/', AGENT, { scan: true });
    granted.changed();
    await expect(granted.has('scan')).rejects.toThrow('no flags');
    fails = false;
    expect(await granted.has('scan')).toBe(true);
  });
});
