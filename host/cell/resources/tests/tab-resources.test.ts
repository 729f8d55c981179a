import { describe, expect, it } from 'vitest';
import { FrameTree } from '../../page/frames.ts';
import { PageSessions } from '../../page/page-sessions.ts';
import { createTabResources } from '../tab-resources.ts';
import type { Tab } from '../../tab/tab.ts';

const svg = 'data:image/svg+xml,<svg/>';
const notFound = expect.objectContaining({ code: 'resource-not-found' }) as Error;

function tab(): Tab {
  const sessions = new PageSessions();
  const meter = { spend: () => undefined };
  return { sessions, frames: new FrameTree(sessions), meter } as unknown as Tab; // all that resources need of a tab
}

describe('tokens of tabs', () => {
  it('are valid for one person and one tab, and end with it', async () => {
    const rules = {
      pictures: { reencode: false, format: 'webp', quality: 80, max_side: undefined },
      resources: { request_for_device: false },
    } as const;
    const [anna, ben] = [createTabResources(() => rules), createTabResources(() => rules)];
    const [first, second] = [tab(), tab()];
    anna.watch(first);
    ben.watch(second);
    const [, , , token = ''] = anna.register(first, 'i', svg, 1).split('/');
    const [, , , other = ''] = ben.register(second, 'i', svg, 1).split('/');
    expect(Buffer.from((await anna.fetch('i', token)).body).toString()).toBe('<svg/>');
    expect(await Promise.all([anna, ben].map((each) => each.shows(`/c/i/${token}`)))).toEqual([true, false]);
    await expect(ben.fetch('i', token)).rejects.toThrow(notFound);
    await expect(anna.fetch('f', token)).rejects.toThrow(notFound);
    // The same address has another token for another person: a token cannot be used under another tab's key.
    const mixed = `${token.split('.')[0] ?? ''}.${other.split('.')[1] ?? ''}`;
    await expect(anna.fetch('i', mixed)).rejects.toThrow(notFound);
    for (const bad of ['', '.', token.replace('.', ''), '__proto__.x']) {
      await expect(anna.fetch('i', bad)).rejects.toThrow(notFound);
    }
    // Another tab of the person has another token too: its page may have got other bytes for the address.
    expect(anna.register(tab(), 'i', svg, 1)).not.toBe(`/c/i/${token}`);
    anna.forget(first);
    await expect(anna.fetch('i', token)).rejects.toThrow(notFound);
    expect(anna.register(first, 'i', svg, 1)).toBe('about:invalid');
  });
});
