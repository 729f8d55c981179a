import { describe, expect, it } from 'vitest';
import { errors, host, openReady, page, sent, state, until, useSession } from './session-page.ts';

useSession();

describe('a session that may come back', () => {
  it('[S-076] is detached: no input is forwarded, and the next one reloads', async () => {
    await openReady();
    await page.mouse.move(100, 100);
    await page.mouse.down();
    await page.mouse.up();
    await until(() => sent('CM-mouse').length > 0, true);
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    const before = host.ends[0]?.received.length;
    // A view of another size is measured, for which it holds something for a moment.
    await page.evaluate(() => {
      new MutationObserver(() => (document.documentElement.dataset['measured'] = '')).observe(
        document.documentElement,
        {
          childList: true,
        },
      );
    });
    await page.mouse.move(120, 120);
    await page.setViewportSize({ width: 640, height: 480 });
    expect(await page.getByRole('status').textContent()).toContain('connection is lost');
    await page.waitForSelector('html[data-measured]');
    expect(errors).toEqual([]);
    await page.keyboard.press('a');
    await until(() => host.to('/r/repair').length, 1);
    expect(host.ends[0]?.received).toHaveLength(before ?? 0);
    await until(() => state(), 'loading');
  });

  it('[S-076] reloads at the next input in the page, too, which has documents of its own', async () => {
    await openReady();
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.dataset['frame'] = '2';
      document.body.append(frame);
    });
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    await page.locator('iframe[data-frame]').click();
    await until(() => host.to('/r/repair').length, 1);
  });

  it('keeps the page where the host is away for a while, and reloads at the next input', async () => {
    await openReady();
    host.send('disconnect', { reason: 'draining', reconnect: true });
    await until(() => state(), 'detached');
    expect(host.to('/r/repair')).toEqual([]);
    await page.mouse.click(5, 5);
    await until(() => host.to('/r/repair').length, 1);
  });

  it('[S-076] asks again at each input where the host was not reachable, and says so', async () => {
    await openReady();
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    host.isAway = true; // a route of the browser can come after the key
    await page.keyboard.press('a');
    const notice = page.getByRole('status');
    await until(async () => (await notice.textContent())?.includes('connection is lost'), false);
    host.isAway = false;
    expect(host.to('/r/repair')).toEqual([]);
    await page.keyboard.press('a');
    await until(() => host.to('/r/repair').length, 1);
  });
});
