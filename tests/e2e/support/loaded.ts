import type { Page } from 'playwright/test';

/** Chunks that a chunk waits for, or loads, before it does all that it is there for. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  'composition.follow': ['mirror.editing', 'composition.make-patches'],
  'composition.make-patches': ['composition.follow', 'mirror.editing'],
  'local-echo.start': ['local-echo.en', 'mirror.editing'],
};

/** Waits until the browser has loaded a chunk of the client, `find.bar`, or the client half of a plugin, `uploads`, and it has begun. */
export async function loaded(page: Page, chunk: string): Promise<void> {
  for (const each of [...(NEXT[chunk] ?? []), chunk]) {
    const found = await page.waitForFunction(
      (name) => performance.getEntriesByType('resource').find((entry) => entry.name.includes(`/${name}-`))?.name,
      each,
    );
    // A module that is imported again has been evaluated. Whoever has imported it before goes on first, in steps without a task between them.
    await found.evaluate(async (name) => {
      await import(String(name));
      await new Promise((resolve) => setTimeout(resolve));
    });
  }
}
