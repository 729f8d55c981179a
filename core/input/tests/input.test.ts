import path from 'node:path';
import type { FrameLocator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { awaited, openView, page, received, useView, VIEW } from '../../testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

const turn = (frame: FrameLocator): Promise<boolean> =>
  frame.locator('body').evaluate((body) => body.dispatchEvent(new CustomEvent('knob', { bubbles: true })));

describe('a device that core does not know', () => {
  it('hears what happens in documents of the view, and sends messages of its own', async () => {
    const frame = await openView('<p>text</p>');
    await turn(frame);
    expect(await awaited('knob.turned', 1)).toEqual([{ frame: 7, x: 1, y: 2 }]);
  });

  it('gives a control the focus without a press on it', async () => {
    const frame = await openView('<p style="margin:0">text</p>');
    await frame.locator('p').click({ button: 'right', position: { x: 3, y: 4 } });
    expect(await awaited('input.focus', 1)).toEqual([{ target: { frame: 7, x: 3, y: 4 } }]);
  });

  it('[S-076] hears nothing more once input is stopped, nor once it is removed', async () => {
    const frame = await openView('<p>text</p>');
    await page.evaluate(() => window.input.start()()); // a second one, ended at once, leaves nothing behind
    await turn(frame);
    await awaited('knob.turned', 1);
    expect(await received('knob.turned')).toHaveLength(1);
    await page.evaluate(() => {
      const stop = window.input.start();
      window.removeDevice?.();
      return stop;
    });
    await turn(frame);
    await awaited('knob.turned', 2);
    expect(await received('knob.turned')).toHaveLength(2);
  });
});

it('tells of controls that the person changes by the browser’s own means', async () => {
  await openView('<input type="range" min="0" max="100" value="0" style="margin:0;width:200px;height:20px">');
  await page.mouse.click(VIEW.x + 100, VIEW.y + 10);
  const [edit] = await awaited('input', 1);
  expect(edit).toMatchObject({ target: { frame: 7 }, value: '50' });
});

it('[R-055] says by the cursor how far the line lags: progress, wait, and the page’s own', async () => {
  const frame = await openView('<p style="cursor:pointer">text</p>');
  await frame.locator('p').hover();
  const cursorAt = async (level: number | undefined): Promise<string> => {
    await page.evaluate((value) => {
      if (value === undefined) delete document.documentElement.dataset['vitrineLatency'];
      else document.documentElement.dataset['vitrineLatency'] = String(value);
    }, level);
    return frame.locator('p').evaluate((element) => getComputedStyle(element).cursor);
  };
  const bare = (): Promise<string> => frame.locator('html').evaluate((element) => getComputedStyle(element).cursor);
  expect([await cursorAt(undefined), await cursorAt(1), await cursorAt(2)]).toEqual(['pointer', 'progress', 'wait']);
  expect([await bare(), await cursorAt(0)]).toEqual(['wait', 'pointer']);
});

it('[R-055] leaves the sheets of the page where the line lags', async () => {
  const frame = await openView('<p>text</p>');
  const sizeAt = (level: string): Promise<string> =>
    page.evaluate((value) => {
      document.documentElement.dataset['vitrineLatency'] = value;
      const inner = document.querySelector<HTMLIFrameElement>('#view')?.contentDocument;
      const paragraph = inner?.querySelector('p');
      return new Promise((resolve) => setTimeout(() => resolve(paragraph ? getComputedStyle(paragraph).fontSize : '')));
    }, level);
  await frame.locator('p').evaluate(({ ownerDocument: inner }) => {
    const sheet = new (inner.defaultView ?? window).CSSStyleSheet();
    sheet.replaceSync('p { font-size: 31px !important }');
    inner.adoptedStyleSheets = [sheet];
  });
  expect([await sizeAt('1'), await sizeAt('2'), await sizeAt('0')]).toEqual(['31px', '31px', '31px']);
});

it('[R-055] says so in documents that open while the line lags', async () => {
  const frame = await openView('<p style="cursor:pointer">text</p>');
  await frame.locator('p').hover();
  const cursor = await page.evaluate(() => {
    const inner = document.querySelector<HTMLIFrameElement>('#view')?.contentDocument;
    if (!inner) throw new Error('the page has no view');
    document.documentElement.dataset['vitrineLatency'] = '2';
    const shown = (): string => getComputedStyle(inner.querySelector('p') ?? inner.body).cursor;
    return new Promise<string[]>((resolve) =>
      setTimeout(() => {
        const before = shown();
        inner.adoptedStyleSheets = []; // as in a document that opens now
        const bare = shown();
        const stop = window.input.start();
        const after = shown();
        stop();
        resolve([before, bare, after]);
      }),
    );
  });
  expect(cursor).toEqual(['wait', 'pointer', 'wait']);
});
