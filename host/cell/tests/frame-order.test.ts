import { describe, expect, it } from 'vitest';
import { CdpSession } from '../../surrogate/cdp-session.ts';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import { FrameTree } from '../page/frames.ts';
import { PageSessions } from '../page/page-sessions.ts';

const targetInfo = (targetId: string, type: string): NonNullable<CdpSession['targetInfo']> => ({
  ...{ targetId, type, title: '', url: '', attached: true, canAccessOpener: false },
  ...(type === 'iframe' && { parentFrameId: 'main' }),
});

// Events of two sessions have no order: Chromium sends them as its processes come to it.
describe('a new frame that is a target of its own', () => {
  async function openTab(): Promise<{ frames: FrameTree; page: CdpSession; child: CdpSession; attach: () => void }> {
    const wire = {
      post: (_session: CdpSession, method: string): Promise<unknown> =>
        Promise.resolve(method === 'Page.getFrameTree' ? { frameTree: { frame: { id: 'inner', url: '' } } } : {}),
      listens: (): void => undefined,
      fault: (error: unknown): void => {
        throw error;
      },
    };
    const sessions = new PageSessions();
    const frames = new FrameTree(sessions);
    const page = new CdpSession(wire, 's1', undefined, targetInfo('main', 'page'));
    await sessions.openPage(page);
    const child = new CdpSession(wire, 's2', page, targetInfo('inner', 'iframe'));
    return { frames, page, child, attach: () => page.announce({ session: child, waitingForDebugger: true }) };
  }

  const reportedByParent = (page: CdpSession): void =>
    page.dispatch('Page.frameAttached', { frameId: 'inner', parentFrameId: 'main' });
  const contextOf = (child: CdpSession): void =>
    child.dispatch('Runtime.executionContextCreated', {
      context: {
        ...{ id: 7, uniqueId: 'u7', name: PAGE_WORLD, origin: 'chrome-extension://x' },
        auxData: { frameId: 'inner', isDefault: false },
      },
    });

  it.each([
    ['before', ['attach', 'report', 'context']],
    ['between', ['report', 'attach', 'context']],
    ['after', ['attach', 'context', 'report']],
  ])('is reached in its own session: its parent reports it %s', async (_when, order) => {
    const { frames, page, child, attach } = await openTab();
    const steps: Record<string, () => void> = {
      attach,
      report: () => reportedByParent(page),
      context: () => contextOf(child),
    };
    for (const step of order) steps[step]?.();
    const frame = frames.frameOfContext(child, 7);
    expect(frame).toBeDefined();
    expect(frames.sessionOf(frame?.id ?? -1)).toBe(child);
    expect(frames.worldOf(frame?.id ?? -1)?.uniqueId).toBe('u7');
  });
});
