import type { CDPSession, FrameLocator, Page } from 'playwright/test';

/** An input method, as DevTools plays one: what it shows while it composes, what it types, and the keys that it takes. */
export class InputMethod {
  readonly #session: CDPSession;
  readonly #page: Page;
  readonly #stepMs: number;

  private constructor(page: Page, session: CDPSession, stepMs: number) {
    this.#page = page;
    this.#session = session;
    this.#stepMs = stepMs;
  }

  /** @param stepMs time after each step, in ms */
  static async of(page: Page, stepMs = 0): Promise<InputMethod> {
    return new InputMethod(page, await page.context().newCDPSession(page), stepMs);
  }

  async compose(text: string, start = text.length, end = start, replaces?: readonly [number, number]): Promise<void> {
    const [replacementStart, replacementEnd] = replaces ?? [];
    await this.#session.send('Input.imeSetComposition', {
      text,
      selectionStart: start,
      selectionEnd: end,
      ...(replacementStart !== undefined && replacementEnd !== undefined && { replacementStart, replacementEnd }),
    });
    // A step that comes in one task with the end is no step of its own.
    await after(this.#page, this.#stepMs);
  }

  async type(text: string): Promise<void> {
    await this.#session.send('Input.insertText', { text });
  }

  async down(code: string): Promise<void> {
    const key = { key: 'Process', windowsVirtualKeyCode: 229, code };
    await this.#session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  }

  async up(code: string, key: string, windowsVirtualKeyCode: number): Promise<void> {
    await this.#session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode });
  }
}

export type Script = (method: InputMethod) => Promise<void>;

/** Letters with accents, one after the other. */
export const DEAD_KEYS: Script = async (method) => {
  await method.compose('´');
  await method.type('é');
  await method.compose('^');
  await method.type('ê');
};

/** Two syllables: one ends as the next one begins. */
export const KOREAN: Script = async (method) => {
  for (const syllable of ['ㅎ', '하', '한']) await method.compose(syllable);
  await method.type('한');
  for (const syllable of ['ㄱ', '그', '글']) await method.compose(syllable);
  await method.type('글');
};

/** Waits until timers of the page in this browser have fired that were set before, for so many ms at most. */
export function after(page: Page, ms: number): Promise<void> {
  return page.evaluate((time) => new Promise<void>((resolve) => setTimeout(resolve, time)), ms);
}

/** The text of a field in the view. */
export function textIn(frame: FrameLocator, field: string): Promise<string> {
  return frame.locator(field).evaluate((element) => ('value' in element ? String(element.value) : element.textContent));
}
