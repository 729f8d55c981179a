import { describe, expect, it } from 'vitest';
import { overlay, reopenIn, useOverlay } from './overlay-page.ts';

useOverlay();

const reports = async (): Promise<string[]> => overlay.page.evaluate(() => window.test.reports.map(({ name }) => name));

describe('docked slots', () => {
  it('fetch React with the first contribution, and work under the policy of the shell', async () => {
    const { page, requests, errors } = overlay;
    expect(requests.filter((target) => target.includes('docked-root'))).toEqual([]);
    await page.evaluate(() => void window.test.fill('bar', 'Second', 2));
    await page.evaluate(() => void window.test.fill('bar', 'First', 1));
    await page.evaluate(() => void window.test.fill('banner', 'Above'));
    const bar = page.locator('#vitrine-overlay [data-slot="overlay.bar"] button');
    await expect.poll(() => bar.allTextContents()).toEqual(['First', 'Second']);
    expect(requests.filter((target) => target.includes('docked-root'))).toHaveLength(1);
    expect(await page.locator('#vitrine-overlay').getAttribute('role')).toBe('region');
    expect(await page.locator('#vitrine-overlay').getAttribute('aria-label')).toBe('Isolation notices');
    expect(await bar.first().evaluate((button) => getComputedStyle(button).color)).toBe('rgb(1, 2, 3)');
    expect(errors).toEqual([]);
  });

  it('[S-018] are on top of everything, at z-index 2147483647, and pass pointer events between them', async () => {
    const { page } = overlay;
    await page.evaluate(() => void window.test.fill('bar', 'Here')); // the spinner is still there; that does not matter
    await page.locator('#vitrine-overlay button').waitFor();
    expect(await page.locator('#vitrine-overlay').evaluate((element) => getComputedStyle(element).zIndex)).toBe(
      '2147483647',
    );
    await page.locator('#in-view').click();
    await page.locator('#vitrine-overlay button').click();
  });

  it('remove a contribution with its undo, and a failing one without effect on the others', async () => {
    const { page } = overlay;
    await page.evaluate(() => {
      window.test.fillBroken();
      const undo = window.test.fill('bar', 'Gone soon');
      window.test.fill('bar', 'Stays');
      setTimeout(undo, 50);
    });
    await expect.poll(() => page.locator('#vitrine-overlay button').allTextContents()).toEqual(['Stays']);
    await expect.poll(reports).toEqual(['tc-overlay-fault', 'tc-overlay-fault']);
    const [first] = await page.evaluate(() => window.test.reports);
    expect(first?.data).toMatchObject({
      plugin: 'probe',
      message: expect.stringMatching(/broken|not there/) as string,
    });
  });
});

describe('dialogs', () => {
  it('[S-109] are in the page frame, fetched for the first of them with origin, hash and version', async () => {
    const { page, dialogs, requests, errors } = overlay;
    expect(await page.locator('#vitrine-page-frame').count()).toBe(0);
    await page.evaluate(() => {
      window.test.ask({ text: 'Sure?' });
    });
    await dialogs.getByRole('dialog', { name: 'Sure?' }).waitFor();
    const targets = requests.filter((target) => target.startsWith('/safeview-template/ui.html'));
    expect(targets).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(targets[0]?.split('?')[1]))).toEqual({
      o: new URL(page.url()).origin,
      h: 'h1',
      a: '1',
    });
    await dialogs.getByRole('button', { name: 'Yes' }).click();
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['yes to Sure?']);
    expect(errors).toEqual([]);
  });

  it('ask a question with two answers, with focus on no', async () => {
    const { page, dialogs } = overlay;
    const outcomes = (): Promise<unknown[]> => page.evaluate(() => window.test.outcomes);
    await page.evaluate(() => {
      for (const title of ['One?', 'Two?', 'Three?', 'Four?']) window.test.askWhether(title);
    });
    const first = dialogs.getByRole('dialog', { name: 'One?', description: 'More of it' });
    await first.waitFor();
    await expect.poll(() => first.locator(':focus').textContent()).toBe('Block');
    await dialogs.locator('.vitrine-dialog:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await dialogs.getByRole('dialog', { name: 'Two?' }).getByRole('button', { name: 'Allow' }).click();
    await dialogs.getByRole('dialog', { name: 'Three?' }).getByRole('button', { name: 'Block' }).click();
    await dialogs.getByRole('dialog', { name: 'Four?' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(outcomes).toEqual([false, true, false, 'dismissed']);
  });

  it('[S-064] are queued while the frame loads and shown one at a time, in order', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      for (const text of ['One', 'Two', 'Three']) window.test.ask({ text });
    });
    for (const text of ['One', 'Two', 'Three']) {
      await dialogs.getByRole('dialog', { name: text }).waitFor();
      expect(await dialogs.getByRole('dialog').count()).toBe(1);
      await dialogs.getByRole('button', { name: 'Yes' }).click();
    }
    await expect
      .poll(() => page.evaluate(() => window.test.outcomes))
      .toEqual(['yes to One', 'yes to Two', 'yes to Three']);
  });

  it('[S-109] report a frame that cannot be fetched, and fetch it again for the next', async () => {
    const { page, dialogs } = overlay;
    overlay.failFrame = true;
    await page.evaluate(() => {
      window.test.ask({ text: 'Lost' });
    });
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['dismissed']);
    expect(await reports()).toEqual(['tc-ui-frame-fetch-failed']);
    expect(await page.locator('#vitrine-page-frame').count()).toBe(0);
    overlay.failFrame = false;
    await page.evaluate(() => {
      window.test.ask({ text: 'Found' });
    });
    await dialogs.getByRole('dialog', { name: 'Found' }).waitFor();
  });

  it('cover the view while one is open, keep the focus, and restore it', async () => {
    const { page, dialogs } = overlay;
    const frame = page.locator('#vitrine-page-frame');
    await page.locator('#in-view').focus();
    await page.evaluate(() => {
      window.test.ask({ text: 'Sure?' });
    });
    await dialogs.getByRole('dialog').waitFor();
    expect(await page.locator('#view').evaluate((view: HTMLElement) => view.inert)).toBe(true);
    expect(await frame.evaluate((element: HTMLElement) => [element.offsetWidth, element.offsetHeight])).toEqual(
      await page.evaluate(() => [innerWidth, innerHeight]),
    );
    const focused = () =>
      dialogs.locator(':focus').evaluate((element) => element.getAttribute('aria-label') ?? element.textContent);
    await expect.poll(focused).toBe('Answer');
    const order: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual(['Yes', 'No', 'Answer', 'Yes']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('No');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['dismissed']);
    await expect.poll(() => frame.isHidden()).toBe(true); // its answer comes before it has gone
    await expect.poll(() => page.locator('#view').evaluate((view: HTMLElement) => view.inert)).toBe(false);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('in-view');
  });

  it('have their role and name for assistive technology, also when their content loads late', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      window.test.ask({ text: 'Late?', late: true }, 'alertdialog');
    });
    const dialog = dialogs.getByRole('alertdialog', { name: 'Late?' });
    await dialog.waitFor();
    expect(await dialog.getAttribute('aria-modal')).toBe('true');
    expect(
      await dialog.evaluate(
        (element) => element.ownerDocument.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
      ),
    ).toBe('More of it');
    await expect.poll(() => dialogs.locator(':focus').getAttribute('aria-label')).toBe('Answer');
    expect(await dialogs.locator('h2').evaluate((heading) => getComputedStyle(heading).letterSpacing)).toBe('3px');
  });

  it('add no role around content that has its own', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      window.test.ask({ text: 'Mine', own: true });
    });
    await expect.poll(() => dialogs.getByRole('dialog').count()).toBe(1);
    expect(await dialogs.getByRole('dialog').getAttribute('aria-label')).toBe('Mine');
    const frame = dialogs.locator('.vitrine-dialog');
    expect(await frame.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
  });

  it('[L1] take no click for half a second after they have appeared or moved', async () => {
    const { page, dialogs } = overlay;
    /**
     * Clicks the first button in each animation frame, once there is one and the window is so wide, until the dialog takes a click; the time
     * in ms since the last frame before: frames come late on a busy machine, and the time is never too short for that.
     */
    const clicked = (width: number): Promise<number> =>
      page.evaluate(
        (least) =>
          new Promise<number>((resolve) => {
            const { outcomes } = window.test;
            const before = outcomes.length;
            let since = performance.now();
            const again = (): void => {
              if (outcomes.length > before) return resolve(performance.now() - since);
              const inner = document.querySelector<HTMLIFrameElement>('#vitrine-page-frame')?.contentDocument;
              const button = inner?.querySelector<HTMLElement>('.vitrine-dialog button');
              if (button && innerWidth === least) button.click();
              else since = performance.now();
              requestAnimationFrame(again);
            };
            again();
          }),
        width,
      );
    const { width } = page.viewportSize()!; // the overlay's page has one
    let answered = clicked(width);
    await page.evaluate(() => {
      window.test.ask({ text: 'New?', late: true });
    });
    expect(await answered).toBeGreaterThan(480); // less the time between two frames
    await page.evaluate(() => {
      window.test.ask({ text: 'Old?' });
    });
    await dialogs.locator('.vitrine-dialog:not([aria-disabled])').waitFor();
    answered = clicked(700);
    await page.setViewportSize({ width: 700, height: 500 });
    expect(await answered).toBeGreaterThan(480);
    expect(await page.evaluate(() => window.test.outcomes)).toEqual(['yes to New?', 'yes to Old?']);
  });

  it('[L1] take no click between a change of their place and the frame that shows it', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      window.test.ask({ text: 'Moved?' });
    });
    const open = dialogs.locator('.vitrine-dialog:not([aria-disabled])');
    await open.waitFor();
    await dialogs.getByRole('button', { name: 'Yes' }).evaluate((button: HTMLElement) => {
      const dialog = button.closest<HTMLElement>('.vitrine-dialog');
      if (dialog) dialog.style.paddingTop = '80px';
      button.click();
    });
    expect(await page.evaluate(() => window.test.outcomes)).toEqual([]);
    await open.waitFor();
    await dialogs.getByRole('button', { name: 'Yes' }).click();
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['yes to Moved?']);
  });

  it('[L1] say that they take no click as soon as they have grown, before a frame shows it', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      window.test.ask({ text: 'Grown?' });
    });
    const open = dialogs.locator('.vitrine-dialog:not([aria-disabled])');
    await open.waitFor();
    const isDisabled = await open.evaluate(async (dialog) => {
      dialog.append(Object.assign(dialog.ownerDocument.createElement('p'), { textContent: 'more' }));
      await Promise.resolve();
      return dialog.hasAttribute('aria-disabled');
    });
    expect(isDisabled).toBe(true);
    await open.waitFor();
  });

  it('[L1] take no press that began too early, nor a key that is held down since', async () => {
    const { page, dialogs } = overlay;
    const outcomes = (): Promise<unknown[]> => page.evaluate(() => window.test.outcomes);
    /** Presses as soon as the dialog has appeared. */
    const pressed = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const again = (): void => {
            const inner = document.querySelector<HTMLIFrameElement>('#vitrine-page-frame')?.contentDocument;
            const button = inner?.querySelector<HTMLElement>('.vitrine-dialog button');
            if (!button) return void setTimeout(again); // frames come late on a busy machine
            const Own = (inner?.defaultView as unknown as { PointerEvent: typeof PointerEvent }).PointerEvent; // by the clock of its document
            button.dispatchEvent(new Own('pointerdown', { bubbles: true }));
            resolve();
          };
          again();
        }),
    );
    await page.evaluate(() => {
      window.test.ask({ text: 'Sure?' });
    });
    await pressed;
    const button = dialogs.getByRole('button', { name: 'Yes' });
    const open = dialogs.locator('.vitrine-dialog:not([aria-disabled])');
    await open.waitFor();
    await button.evaluate((element: HTMLElement) => {
      element.click();
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true }));
      element.click();
    });
    expect(await outcomes()).toEqual([]);
    await button.click();
    expect(await outcomes()).toEqual(['yes to Sure?']);
  });

  it('are removed when aborted, open or waiting', async () => {
    const { page, dialogs } = overlay;
    await page.evaluate(() => {
      window.test.ask({ text: 'Open' });
      window.test.ask({ text: 'Waiting' });
    });
    await dialogs.getByRole('dialog', { name: 'Open' }).waitFor();
    await page.evaluate(() => {
      window.test.abort();
    });
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['dismissed', 'dismissed']);
    expect(await page.locator('#vitrine-page-frame').isHidden()).toBe(true);
    await page.evaluate(() => {
      window.test.ask({ text: 'Next' });
    });
    await dialogs.getByRole('dialog', { name: 'Next' }).waitFor();
    expect(await dialogs.getByRole('dialog').count()).toBe(1);
  });

  it('close when they fail, and report their plugin', async () => {
    const { page } = overlay;
    await page.evaluate(() => {
      window.test.askBroken();
    });
    await expect.poll(() => page.evaluate(() => window.test.outcomes)).toEqual(['dismissed']);
    expect(await page.evaluate(() => window.test.reports)).toMatchObject([
      { name: 'tc-overlay-fault', data: { plugin: 'probe', message: 'broken later' } },
    ]);
    expect(await page.locator('#view').evaluate((view: HTMLElement) => view.inert)).toBe(false);
  });
});

describe('shell view', () => {
  it('[S-029] shows spinner and information until the page is ready', async () => {
    const { page } = overlay;
    expect(await page.locator('#vitrine-info').isVisible()).toBe(true);
    await page.evaluate(() => {
      window.test.shell.inform('Still trying');
      window.test.shell.state = 'loading';
    });
    expect(await page.locator('#vitrine-preload .spinner').isVisible()).toBe(true);
    expect(await page.locator('#vitrine-info').textContent()).toBe('Still trying');
    await page.evaluate(() => {
      window.test.shell.state = 'ready';
    });
    expect(await page.locator('#vitrine-preload').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.dataset['vitrineState'])).toBe('ready');
  });

  it('[S-010] shows a full-page error with title and description, hides the spinner and sends a warning', async () => {
    const { page, errors } = overlay;
    await page.evaluate(() => {
      window.test.shell.fail({
        code: 'probe',
        title: 'No <b>page</b>',
        description: 'For a reason',
        retry: () => window.test.outcomes.push('retried'),
      });
    });
    const view = page.getByRole('alert');
    expect(await view.getByRole('heading').textContent()).toBe('No <b>page</b>');
    expect(await view.getByText('For a reason').isVisible()).toBe(true);
    expect(await page.locator('#vitrine-preload').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.dataset['vitrineState'])).toBe('error');
    expect(await page.evaluate(() => window.test.reports)).toMatchObject([
      {
        name: 'tc-error-page',
        level: 'warning',
        data: { code: 'probe', title: 'No <b>page</b>', description: 'For a reason' },
      },
    ]);
    await view.getByRole('button', { name: 'Try again' }).click();
    expect(await page.evaluate(() => window.test.outcomes)).toEqual(['retried']);
    expect(errors).toEqual([]);
  });

  it("uses the person's language and its text direction", async () => {
    await reopenIn('ar-EG');
    const { page } = overlay;
    await page.evaluate(() => {
      window.test.shell.fail({
        code: 'probe',
        title: window.test.messages.text('ID_ERROR_TITLE'),
        description: '',
        retry: () => undefined,
      });
    });
    expect(
      await page
        .locator('#vitrine-error')
        .evaluate((view: HTMLElement) => [getComputedStyle(view).direction, view.lang]),
    ).toEqual(['rtl', 'ar']);
    expect(await page.locator('#vitrine-error button').textContent()).toBe('إعادة المحاولة');
  });
});
