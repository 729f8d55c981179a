import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

declare global {
  interface Window {
    /** Number of writes to the clipboard, once they are counted. */
    written?: number;
  }
}

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(
    browser,
    script,
    '<!doctype html><title>Test</title><p>words</p><input value="field"><input type="password" value="secret"><input v-type="password" value="•••">',
  );
});
afterEach(async () => {
  expect(await page.evaluate(() => window.clipboardShell.faults)).toEqual([]);
  await page.close();
});

const OPEN = { disable_copy: false, restrict_paste: false, char_len_limit_if_paste_restricted: 0 };
const start = (policy: unknown = OPEN): Promise<void> =>
  page.evaluate((told) => window.clipboardShell.start(told), policy);
/** Stops the clock, so that the two seconds of a gesture do not pass; or sets it. */
const stopClock = (at = 10_000): Promise<void> => page.evaluate((ms) => void (performance.now = () => ms), at);
const heard = (): Promise<readonly (readonly [string, unknown])[]> => page.evaluate(() => window.clipboardShell.heard);
const events = (): Promise<string[]> => page.evaluate(() => window.clipboardShell.events.map(({ name }) => name));
const notices = (): Promise<unknown> => page.evaluate(() => window.clipboardShell.shown());
const NONE = { text: 0, html: 0, rtf: 0, picture: 0, own: false, plain: false, by_key: false, meta: false };

describe('a paste, in the shell', () => {
  it('[S-090] is sent with text, HTML, RTF and a picture, one behind the other', async () => {
    await start();
    const picture = 'p'.repeat(3 * 100_000);
    await page.evaluate(
      (bytes) =>
        window.clipboardShell.paste({ 'text/plain': 'ä\r\nb', 'text/html': '<b>', 'text/rtf': '{rtf}' }, [
          new File(['other'], 'other.zip', { type: 'application/zip' }),
          new File([bytes], 'picture.png', { type: 'image/png' }),
        ]),
      picture,
    );
    await expect.poll(async () => (await heard()).length).toBe(2);
    expect(await heard()).toEqual([
      ['paste', { ...NONE, text: 4, html: 3, rtf: 5, picture: 300_000 }],
      ['body', `ä\nb<b>{rtf}${picture}`],
    ]);
  });

  it('[S-090] is sent without RTF in a multi-page app', async () => {
    await page.evaluate(() => Object.assign(window.clipboardShell.client.session.pairing, { mpa_id: 'app' }));
    await start();
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'x', 'text/rtf': '{rtf}' }));
    expect((await heard())[0]).toEqual(['paste', { ...NONE, text: 1 }]);
  });

  it('[R-097] of nothing that pages can have is told, too', async () => {
    await start();
    await page.evaluate(() => window.clipboardShell.paste({}, [new File(['x'], 'x.zip', { type: 'application/zip' })]));
    expect(await heard()).toEqual([['execcmd', { command: 'empty-paste', by_key: false }]]);
  });

  it('[S-090] of files is left to the plugin that brings them into pages, one of a picture alone is not', async () => {
    await start();
    await page.evaluate(() => {
      window.clipboardShell.bring();
      return window.clipboardShell.paste({ 'text/plain': '/a' }, [
        new File(['x'], 'x.zip', { type: 'application/zip' }),
      ]);
    });
    await page.evaluate(() => window.clipboardShell.paste({}, [new File(['x'], 'x.png', { type: 'image/png' })]));
    await expect.poll(async () => (await heard()).length).toBe(4);
    expect(await heard()).toEqual([
      ['files', { frame: 2, names: ['x.zip'] }],
      ['execcmd', { command: 'file-paste', by_key: false }],
      ['paste', { ...NONE, picture: 1 }],
      ['body', 'x'],
    ]);
  });

  it('[R-097] is announced when its keys are pressed, and only then', async () => {
    await start();
    for (const shortcut of ['Control+a', 'Control+v', 'Shift+Insert', 'v']) await page.keyboard.press(shortcut);
    const announced = ['execcmd', { command: 'pre-paste', by_key: true }];
    expect((await heard()).filter(([, params]) => (params as { command?: string }).command === 'pre-paste')).toEqual([
      announced,
      announced,
    ]);
    expect((await heard())[0]).toEqual(announced); // ahead of the paste
  });

  it('[S-150] whose picture cannot be read reports tc-image-paste-error, and any other failure tc-paste-error', async () => {
    await start();
    await page.evaluate(async () => {
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = () => Promise.reject(new Error('no'));
      await window.clipboardShell.paste({ 'text/plain': 'text' }, [new File(['x'], 'x.png', { type: 'image/png' })]);
      Blob.prototype.arrayBuffer = read;
    });
    await expect.poll(events).toEqual(['tc-image-paste-error']);
    await expect.poll(async () => (await heard()).at(-1)).toEqual(['body', 'text']);
    await page.evaluate(async () => {
      const get = DataTransfer.prototype.getData;
      DataTransfer.prototype.getData = () => {
        throw new Error('no');
      };
      await window.clipboardShell.paste({ 'text/plain': 'x' });
      DataTransfer.prototype.getData = get;
    });
    await expect.poll(events).toEqual(['tc-image-paste-error', 'tc-paste-error']);
    await expect.poll(notices).toEqual([{ text: 'clipboard.paste-failed' }]);
  });

  it('[S-150] that the host takes no more of reports tc-paste-error, with a picture, too', async () => {
    await start();
    await page.evaluate(async () => {
      window.clipboardShell.refuseBodies();
      const picture = new File([new Uint8Array(1024 * 1024)], 'x.png', { type: 'image/png' });
      await window.clipboardShell.paste({ 'text/plain': 'text' }, [picture]);
    });
    await expect.poll(events).toEqual(['tc-paste-error']);
  });

  it('[S-092] that the policy does not let pass is not sent, and the person is told', async () => {
    await start({ ...OPEN, restrict_paste: true });
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'x' }));
    expect(await heard()).toEqual([]);
    await expect.poll(notices).toEqual([{ text: 'clipboard.paste-restricted' }]);
  });

  it('goes by the policy of the frame, as long as that has one of its own', async () => {
    await start();
    const limited = { copy: true, pasteLimit: 3, isUnreadable: false, pasteSite: 'b.test' };
    await page.evaluate((rules) => window.clipboardShell.rule(rules), limited);
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'wxyz' }));
    expect(await heard()).toEqual([]);
    await expect.poll(notices).toEqual([{ text: 'clipboard.paste-limit-by' }]);
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'xy', 'text/html': '<b>' }));
    expect((await heard())[0]).toEqual(['paste', { ...NONE, text: 2 }]);
    await page.evaluate(() => window.clipboardShell.rule(null));
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'wxyz' }));
    expect((await heard()).at(-2)).toEqual(['paste', { ...NONE, text: 4 }]);
  });
});

it('[R-097] sends a cut by the browser’s menu as a command, and one by the key with the key alone', async () => {
  await start();
  const cut = (): Promise<void> =>
    page.evaluate(() => {
      const event = new ClipboardEvent('cut', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    });
  await cut();
  await page.keyboard.down('Control');
  await page.keyboard.down('x');
  await cut();
  expect(await heard()).toEqual([['execcmd', { command: 'cut', by_key: false }]]);
});

it('[R-066] neither copies nor pastes without a policy that can be read, and reports tc-copy-paste-policy-error', async () => {
  await start({ disable_copy: 'maybe' });
  await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'x' }));
  expect(await heard()).toEqual([]);
  expect(new Set(await events())).toEqual(new Set(['tc-copy-paste-policy-error']));
  await expect.poll(notices).toEqual([{ text: 'clipboard.no-policy' }]);
  const copies = await page.evaluate(() => {
    const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return [event.defaultPrevented, event.clipboardData?.types.length];
  });
  expect(copies).toEqual([true, 0]);
  expect(await heard()).toEqual([]);
});

describe('what is copied', () => {
  const copy = (selector: string, command = 'copy'): Promise<string | undefined> =>
    page.locator(selector).evaluate((element, type) => {
      const event = new ClipboardEvent(type, { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      element.dispatchEvent(event);
      return event.clipboardData?.getData('text/plain');
    }, command);

  it('is the selection’s text at once, of a field too, but no password', async () => {
    await start();
    await page.locator('p').click({ clickCount: 3 });
    expect((await copy('p'))?.trim()).toBe('words');
    for (const [selector, text] of [
      ['input', 'field'],
      ['[type=password]', ''],
      ['[v-type=password]', ''],
    ] as const) {
      await page.locator(selector).first().focus();
      await page.keyboard.press('Control+a');
      expect(await copy(selector + ' >> nth=0')).toBe(text);
    }
    expect((await heard()).filter(([name]) => name === 'execcmd')).toHaveLength(4);
  });

  it('[R-062] [S-092] is nothing where copying is disabled, nor is it cut', async () => {
    await start({ ...OPEN, disable_copy: true });
    await page.locator('p').click({ clickCount: 3 });
    expect([await copy('p'), await copy('p', 'cut')]).toEqual(['', '']);
    await expect.poll(notices).toEqual([{ text: 'clipboard.copy-restricted' }]);
    expect(await heard()).toEqual([]);
  });

  it('is nothing in a frame that may not copy, whose text cannot be dragged either', async () => {
    await start();
    const drag = (): Promise<boolean> =>
      page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true })));
    await page.locator('p').click({ clickCount: 3 });
    expect(await drag()).toBe(true);
    const sealed = { copy: false, isUnreadable: false, copySite: 'b.test' };
    await page.evaluate((rules) => window.clipboardShell.rule(rules), sealed);
    expect(await copy('p')).toBe('');
    expect(await drag()).toBe(false);
    await expect.poll(notices).toEqual([{ text: 'clipboard.copy-restricted-by' }]);
    expect(await heard()).toEqual([]);
  });

  it('is never the view’s own markup, whose addresses are ours', async () => {
    await start();
    await page.evaluate(() => {
      document.body.innerHTML = '<img src="/c/i/token">';
      getSelection()?.selectAllChildren(document.body);
    });
    const [isPrevented, types] = await page.evaluate(() => {
      const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return [event.defaultPrevented, event.clipboardData?.types];
    });
    expect([isPrevented, types]).toEqual([true, []]);
  });

  it('may be nothing: what the person has is pasted then, and only for want of that what the page may still have', async () => {
    await start();
    await copy('p');
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'x' }));
    await page.evaluate(() => window.clipboardShell.paste({}));
    expect((await heard()).filter(([name]) => name !== 'body')).toEqual([
      ['execcmd', { command: 'copy', by_key: false }],
      ['paste', { ...NONE, text: 1 }],
      ['execcmd', { command: 'paste', by_key: false }],
    ]);
  });

  /** Has the page's clipboard count what is written to it. Returns a function that reads the count. */
  const watchWrites = async (): Promise<() => Promise<number>> => {
    await page.evaluate(() => {
      const write = async (): Promise<void> => void Object.assign(window, { written: (window.written ?? 0) + 1 });
      Object.defineProperty(navigator, 'clipboard', { value: { write } });
      Object.assign(window, { ClipboardItem: Object });
    });
    return () => page.evaluate(() => window.written ?? 0);
  };

  it('is there already when the page answers, and not written again over what the person has copied elsewhere meanwhile', async () => {
    await start();
    await stopClock();
    const written = await watchWrites();
    await page.locator('p').click({ clickCount: 3 });
    const text = (await copy('p')) ?? '';
    const answer = (): Promise<void> => page.evaluate((put) => window.clipboardShell.copied({ text: put }), text);
    await page.evaluate(() => void window.dispatchEvent(new Event('blur')));
    await answer();
    expect(await written()).toBe(0);
    // Two copies of it whose answers come after both.
    for (let times = 0; times < 2; times += 1) await copy('p');
    for (let times = 0; times < 2; times += 1) await answer();
    expect(await written()).toBe(0);
    // The page's own copies of the same text, later.
    for (const count of [1, 2]) {
      await answer();
      await expect.poll(written).toBe(count);
    }
  });

  it('is not written as rich text once the focus has left the view, only while it is there', async () => {
    await start();
    await stopClock();
    const written = await watchWrites();
    await page.evaluate(() => {
      document.documentElement.append(Object.assign(document.createElement('button'), { id: 'shell' }));
    });
    const answer = (text: string): Promise<void> =>
      page.evaluate((put) => window.clipboardShell.copied({ text: put, html: '<b>words</b>' }), text);
    const blur = (): Promise<void> =>
      page.evaluate(async () => {
        window.dispatchEvent(new Event('blur'));
        await new Promise((done) => setTimeout(done));
      });
    await page.locator('p').click({ clickCount: 3 });
    const text = (await copy('p')) ?? '';
    await blur(); // to another document of the view
    await answer(text);
    await expect.poll(written).toBe(1);
    await copy('p');
    await page.locator('#shell').focus();
    await blur();
    await answer(`${text}\n`);
    // A copy of the page's own, which the view has put nothing of.
    await answer('other');
    await expect.poll(written).toBe(2);
  });

  it('[R-127] by the page gets into the person’s clipboard within two seconds of a gesture, and at no other time', async () => {
    await start();
    await stopClock();
    const written = await watchWrites();
    await page.evaluate(() => window.clipboardShell.copied({ text: 'unasked' }));
    await page.evaluate(() => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
    await page.evaluate(() => window.clipboardShell.copied({ text: 'by a script' }));
    expect(await written()).toBe(0);
    await page.locator('p').click();
    await page.evaluate(() => window.clipboardShell.copied({ text: 'asked' }));
    await expect.poll(written).toBe(1);
  });

  it.each<[string, () => Promise<void>]>([
    ['a press of the mouse', () => page.mouse.down()],
    ['its release', () => page.mouse.up()],
    ['a key', () => page.keyboard.down('x')],
    ['the browser’s own menu', () => page.evaluate(() => void document.execCommand('copy'))],
  ])('[R-127] that comes within two seconds of %s is kept, and none after that, copied or not', async (_what, act) => {
    await start();
    await page.mouse.move(1, 1);
    if (act.toString().includes('up')) await page.mouse.down();
    await stopClock(20_000);
    const written = await watchWrites();
    const copied = (text: string): Promise<void> =>
      page.evaluate((given) => window.clipboardShell.copied({ text: given }), text);
    await act();
    await stopClock(22_000);
    await copied('in time');
    await expect.poll(written).toBe(1);
    await stopClock(22_001);
    await copied('late');
    await act();
    await copied('in time again');
    await expect.poll(written).toBe(2);
  });

  it('reports tc-clipboard-copy-failure where the browser refuses, and tells the person', async () => {
    await start();
    await stopClock();
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await page.locator('p').click();
    await page.evaluate(() => window.clipboardShell.copied({ text: 'lost' }));
    await expect.poll(events).toEqual(['tc-clipboard-copy-failure']);
    await expect.poll(notices).toEqual([{ text: 'clipboard.copy-failed' }]);
    // The page still has it.
    await page.evaluate(() => window.clipboardShell.paste({ 'text/plain': 'old' }));
    expect((await heard())[0]).toEqual(['paste', { ...NONE, text: 3, own: true }]);
  });
});
