import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type { DialogKind } from '../protocol.ts';
import type {} from './shell-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
  return () => page.close();
});

/** Opens a dialog, gives it this outcome and returns the messages that the host received. */
const answered = (kind: DialogKind, outcome: unknown): Promise<unknown> =>
  page.evaluate(
    async ([asked, given]) => {
      const { shell } = window;
      await shell.open({ kind: asked });
      shell.overlay.asked[0]?.answer(given);
      await shell.flush();
      return shell.answers;
    },
    [kind, outcome] as const,
  );

describe('a dialog of the page, in the shell', () => {
  it.each<[DialogKind, unknown, unknown]>([
    ['alert', { accepted: true, text: '' }, ['alert-dismiss', { id: 1 }]],
    ['alert', undefined, ['alert-dismiss', { id: 1 }]],
    ['confirm', { accepted: true, text: '' }, ['confirm-dismiss', { id: 1, accepted: true }]],
    ['confirm', undefined, ['confirm-dismiss', { id: 1, accepted: false }]],
    ['beforeunload', { accepted: true, text: '' }, ['confirm-dismiss', { id: 1, accepted: true }]],
    ['unresponsive', { accepted: true, text: '' }, ['confirm-dismiss', { id: 1, accepted: true }]],
    ['unresponsive', undefined, ['confirm-dismiss', { id: 1, accepted: false }]],
    ['prompt', { accepted: true, text: 'Ada' }, ['prompt-dismiss', { id: 1, accepted: true, text: 'Ada' }]],
    ['prompt', undefined, ['prompt-dismiss', { id: 1, accepted: false, text: '' }]],
  ])('of kind %s that is closed with %j sends its message', async (kind, outcome, message) => {
    expect(await answered(kind, outcome)).toEqual([message]);
  });

  it('is closed without an answer when the host reports it as closed', async () => {
    const left = await page.evaluate(async () => {
      const { shell } = window;
      await shell.open({ id: 4, kind: 'confirm' });
      await shell.close(3);
      const before = shell.overlay.asked.length;
      await shell.close(4);
      return [before, shell.overlay.asked.length, shell.answers.length, shell.faults.length];
    });
    expect(left).toEqual([1, 0, 0, 0]);
  });

  it('[S-016] takes the place of the same one, which a client that has lost messages is shown once more', async () => {
    const seen = await page.evaluate(async () => {
      const { shell } = window;
      for (let times = 0; times < 2; times += 1) await shell.open({ id: 4, kind: 'confirm' });
      const twice = shell.overlay.asked.length;
      await shell.close(4);
      const closed = shell.overlay.asked.length;
      for (let times = 0; times < 2; times += 1) await shell.open({ id: 5, kind: 'confirm' });
      shell.overlay.asked[0]?.answer({ accepted: true, text: '' });
      await shell.flush();
      return [twice, closed, shell.overlay.asked.length, shell.answers];
    });
    expect(seen).toEqual([1, 0, 0, [['confirm-dismiss', { id: 5, accepted: true }]]]);
  });

  it('closes with the plugin, without an answer', async () => {
    const left = await page.evaluate(async () => {
      const { shell } = window;
      await shell.open({ kind: 'prompt' });
      shell.disposeClient();
      await shell.flush();
      return [shell.overlay.asked.length, shell.answers.length];
    });
    expect(left).toEqual([0, 0]);
  });

  // The harness shows ids of texts.
  it.each<[DialogKind, string, string | boolean, unknown]>([
    ['alert', 'dialogs.says\n\nWell?', true, ['alert-dismiss', { id: 1 }]],
    ['confirm', 'dialogs.asks\n\nWell?', true, ['confirm-dismiss', { id: 1, accepted: true }]],
    ['confirm', 'dialogs.asks\n\nWell?', false, ['confirm-dismiss', { id: 1, accepted: false }]],
    ['prompt', 'dialogs.asks\n\nWell?', 'Ada', ['prompt-dismiss', { id: 1, accepted: true, text: 'Ada' }]],
    ['prompt', 'dialogs.asks\n\nWell?', false, ['prompt-dismiss', { id: 1, accepted: false, text: '' }]],
    [
      'beforeunload',
      'dialogs.leave-title\n\ndialogs.leave-text\n\ndialogs.ok: dialogs.leave\ndialogs.cancel: dialogs.stay',
      true,
      ['confirm-dismiss', { id: 1, accepted: true }],
    ],
  ])(
    '[S-017] of kind %s is one of the browser where the shell is not displayed',
    async (kind, words, given, message) => {
      const seen: string[] = [];
      page.on('dialog', (dialog) => {
        seen.push(`${dialog.type()} ${dialog.message()}`);
        void (given === false ? dialog.dismiss() : dialog.accept(given === true ? undefined : given));
      });
      const [answers, asked] = await page.evaluate(async (asked) => {
        const { shell } = window;
        document.body.style.display = 'none';
        await shell.open({ kind: asked });
        while (shell.answers.length === 0) await new Promise((resolve) => setTimeout(resolve));
        return [shell.answers, shell.overlay.asked.length];
      }, kind);
      const type = kind === 'beforeunload' ? 'confirm' : kind;
      expect([seen, answers, asked]).toEqual([[`${type} ${words}`], [message], 0]);
    },
  );

  it.each([
    ['offers the text that the page suggests', (offered: string) => `${offered}!`, 'Ada!'],
    ['that is accepted without a text answers with an empty one', () => '', ''],
  ])('[S-017] of the browser %s', async (_what, typed, text) => {
    page.on('dialog', (dialog) => void dialog.accept(typed(dialog.defaultValue())));
    const answers = await page.evaluate(async () => {
      const { shell } = window;
      document.body.style.display = 'none';
      await shell.open({ kind: 'prompt', defaultText: 'Ada' });
      while (shell.answers.length === 0) await new Promise((resolve) => setTimeout(resolve));
      return shell.answers;
    });
    expect(answers).toEqual([['prompt-dismiss', { id: 1, accepted: true, text }]]);
  });
});
