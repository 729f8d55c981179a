import { describe, expect, it } from 'vitest';
import { host, open, openReady, page, sent, state, until, useSession } from './session-page.ts';

useSession();

/** Calls the client and returns its answer. */
async function ask(name: string, params: unknown, call: number): Promise<unknown> {
  host.send(name, params, call);
  const answer = (): unknown => sent('reply').find((reply) => (reply as [number])[0] === call);
  await expect.poll(answer, { interval: 20 }).toBeDefined();
  const [, ok, result] = answer() as [number, boolean, unknown];
  expect(ok).toBe(true);
  return result;
}

/** A view of 900 by 700: frame 2 is half outside, 3 is in the hidden part of 2, 4 is below the view, 5 is in the corner of 2. */
async function build(): Promise<void> {
  await page.evaluate(() => {
    const add = (into: Document, frame: number, style: string): Document => {
      const iframe = into.createElement('iframe');
      iframe.dataset['frame'] = String(frame);
      iframe.style.cssText = `position: absolute; border: 0; ${style}`;
      into.body.append(iframe);
      return iframe.contentDocument as Document; // same origin
    };
    const second = add(document, 2, 'left: 600px; top: 100px; width: 600px; height: 200px');
    add(second, 3, 'left: 400px; top: 0; width: 100px; height: 100px');
    add(document, 4, 'left: 0; top: 900px; width: 100px; height: 100px');
    add(second, 5, 'left: 250px; top: 150px; width: 100px; height: 100px');
    const text = second.createElement('p');
    text.style.cssText = 'position: absolute; left: 10px; top: 20px; width: 80px; margin: 0; font: 10px/10px monospace';
    text.innerHTML = '<span data-node="7">two words</span>';
    text.style.width = '40px'; // one line each
    second.body.append(text);
  });
}

describe('questions of the host about the view', () => {
  it('[M-087] visible_tree: visible frames, their visible part, and their parents', async () => {
    await openReady();
    await build();
    expect(await ask('visible_tree', null, 11)).toEqual([
      { frame: 1, parent: 0, box: { x: 0, y: 0, width: 900, height: 700 } },
      { frame: 2, parent: 1, box: { x: 600, y: 100, width: 300, height: 200 } },
      { frame: 5, parent: 2, box: { x: 850, y: 250, width: 50, height: 50 } },
    ]);
  });

  it('[M-087] bounding_rect: the box around all of a target, or none', async () => {
    await openReady();
    await build();
    const around = await page.evaluate(() => {
      const inner = document.querySelector<HTMLIFrameElement>('[data-frame="2"]')?.contentDocument;
      const lines = inner?.querySelector('[data-node]')?.getClientRects() ?? [];
      const [first, second] = lines;
      if (!first || !second) return undefined;
      const height = second.bottom - first.top;
      return { x: first.x + 600, y: first.y + 100, width: Math.max(first.width, second.width), height };
    });
    expect(around?.height).toBeGreaterThan(15);
    expect(await ask('bounding_rect', { target: { frame: 2, node: 7, x: 0, y: 0 } }, 12)).toEqual(around);
    expect(await ask('bounding_rect', { target: { frame: 2, node: 8, x: 0, y: 0 } }, 13)).toBeNull();
    expect(await ask('bounding_rect', { target: { frame: 9, node: 7, x: 0, y: 0 } }, 14)).toBeNull();
  });

  it('[M-087] rfc: answered after an animation frame, and immediately in a hidden window', async () => {
    await openReady();
    await page.evaluate(() => {
      const original = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (run) => original((time) => setTimeout(run, 300, time));
    });
    const before = performance.now();
    expect(await ask('rfc', null, 15)).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(290);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      window.requestAnimationFrame = () => 0;
    });
    expect(await ask('rfc', null, 16)).toBe(false);
  });

  it('[M-087] fupd: updates in their order, as if sent separately', async () => {
    await open();
    await until(() => state(), 'loading');
    host.send('fupd', [
      ['load-state', { state: 'loading', url: 'https://site.test/a' }],
      ['load-state', { state: 'loading', url: 'https://site.test/b' }],
      ['site_caps', { framing_restriction: 0 }],
      ['boot-plugin.batch', { seq: 1 }],
      ['load-state', { state: 'ready', url: 'https://site.test/c' }],
    ]);
    await until(() => state(), 'ready');
    expect(await page.evaluate(() => document.documentElement.dataset['ready'])).toBe('https://site.test/b');
  });
});
