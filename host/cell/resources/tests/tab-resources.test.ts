import { describe, expect, it } from 'vitest';
import type { Person } from '../../../link.ts';
import { FrameTree } from '../../page/frames.ts';
import { PageSessions } from '../../page/page-sessions.ts';
import { createTabResources } from '../tab-resources.ts';
import type { Tab } from '../../tab/tab.ts';

const anna: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost:7700' };
const ben: Person = { ...anna, subject: 'ben' };
const svg = 'data:image/svg+xml,<svg/>';
const notFound = expect.objectContaining({ code: 'resource-not-found' }) as Error;

function tab(): Tab {
  const sessions = new PageSessions();
  return { sessions, frames: new FrameTree(sessions) } as unknown as Tab; // all that resources need of a tab
}

describe('tokens of tabs', () => {
  it('are for one person and one tab, and end with it', async () => {
    const resources = createTabResources(() => ({ reencode: false, format: 'webp', quality: 80, max_side: undefined }));
    const [first, second] = [tab(), tab()];
    resources.watch(anna, first);
    resources.watch(ben, second);
    const [, , , token = ''] = resources.register(anna, first, 'i', svg, 1).split('/');
    const [, , , other = ''] = resources.register(ben, second, 'i', svg, 1).split('/');
    expect(Buffer.from((await resources.fetch(anna, 'i', token)).body).toString()).toBe('<svg/>');
    expect(await Promise.all([anna, ben].map((each) => resources.shows(each, `/c/i/${token}`)))).toEqual([true, false]);
    await expect(resources.fetch(ben, 'i', token)).rejects.toThrow(notFound);
    await expect(resources.fetch(anna, 'f', token)).rejects.toThrow(notFound);
    // The same address has another code for another person: one tab's cannot be asked for under another's key.
    const mixed = `${token.split('.')[0] ?? ''}.${other.split('.')[1] ?? ''}`;
    await expect(resources.fetch(anna, 'i', mixed)).rejects.toThrow(notFound);
    for (const bad of ['', '.', token.replace('.', ''), '__proto__.x']) {
      await expect(resources.fetch(anna, 'i', bad)).rejects.toThrow(notFound);
    }
    // Nor has another tab of the person the same, whose page may have been given other bytes for the address.
    expect(resources.register(anna, tab(), 'i', svg, 1)).not.toBe(`/c/i/${token}`);
    resources.forget(first);
    await expect(resources.fetch(anna, 'i', token)).rejects.toThrow(notFound);
    expect(resources.register(anna, first, 'i', svg, 1)).toBe('about:invalid');
  });
});
